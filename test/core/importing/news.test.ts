import { describe, expect, it } from 'vitest'
import { inputDigest } from '../../../src/core/digest.js'
import type { ImportedOperation } from '../../../src/core/imported.js'
import { newsOf, type OnFile } from '../../../src/core/importing/news.js'
import { takenIn } from '../../../src/core/importing/their-record.js'
import type { Operation } from '../../../src/core/operation.js'
import type { State } from '../../../src/core/transitions/requests.js'
import { moved, NOON } from '../builders.js'
import { anAttempt, anOwnRecord, aRecord, TAKING } from './record.js'

const NOTHING: OnFile = { digests: new Set(), as_of: null, ledger_id: 'ledger-9' }
const REFUSED = { status: 'not_executed', attempts: [anAttempt(1, 'not_applied')] } as const

describe('a record that is new here', () => {
  it('is taken in with all its evidence', () => {
    const own = anOwnRecord({
      evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: 1 }] as never,
    })
    const taken = takenIn(aRecord({ own }), TAKING)
    expect(newsOf(null, taken, NOTHING)).toEqual({
      kind: 'steps',
      steps: [{ request: { type: 'import', ...taken.theirs }, evidence: taken.evidence }],
    })
    expect(taken.evidence).toHaveLength(2)
  })
})

describe('a record that was read before', () => {
  it('is the same by its digest, or where it is the past of this very ledger', () => {
    const taken = takenIn(aRecord(), TAKING)
    expect(news({}, {}, { digests: new Set([taken.digest]) })).toEqual({ kind: 'same' })
    const here = { ledger_id: 'ledger-1' }
    const own = (version: number) => ({ own: anOwnRecord({ version }) })
    expect(news({}, own(1), here).kind).toBe('same')
    expect(news({}, own(2), here).kind).not.toBe('same')
    expect(news({}, own(1), {}).kind).not.toBe('same')
    expect(news({}, {}, here).kind).not.toBe('same')
  })

  it.each<[string, Partial<ImportedOperation>]>([
    ['tool', { tool: 'tickets.close' }],
    ['task', { task_id: 'other:run-2' }],
    ['input', { input: { title: 'other' } }],
  ])('is refused where the id stands for another %s', (_, over) => {
    expect(news({}, over)).toEqual({
      kind: 'refused',
      refusal: {
        rule: 'other_intent',
        code: 'conflict',
        reason: 'other:t-1 is here already with another tool, task or input (tickets.create of other:run-1)',
        satisfy: 'another intent is another operation: find out which of the two systems uses the id',
      },
    })
  })

  it('is not refused for an input that one of the two does not keep', () => {
    expect(news({}, { input: null }).kind).toBe('steps')
    expect(news({ input: null }, { input: 7 }).kind).toBe('steps')
  })

  it('is an earlier one by when it was written over there', () => {
    const at = (updated_at: number | null, as_of: number | null) =>
      news({}, { updated_at, result: 1 }, { as_of }).kind
    expect([at(NOON - 2, NOON - 1), at(NOON - 1, NOON - 1)]).toEqual(['earlier', 'steps'])
    expect([at(null, NOON), at(NOON - 9, null)]).toEqual(['steps', 'steps'])
  })

  it('brings its newest state as one piece of evidence', () => {
    const own = anOwnRecord({
      input_digest: inputDigest({ title: 'Disk full' }),
      evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: 1 }] as never,
    })
    const told = news({}, { result: 1, own })
    expect(told).toMatchObject({ kind: 'steps', steps: [{ request: { type: 'import' } }] })
    expect(told.kind === 'steps' && told.steps[0]?.evidence?.length).toBe(1)
  })
})

describe('a record that says the opposite', () => {
  const type = (over: Partial<Operation>, told: Partial<ImportedOperation>) => {
    const found = news(over, { result: 1, ...told })
    return found.kind === 'steps' ? found.steps[0]?.request.type : found.kind
  }

  it('contradicts what is settled here', () => {
    const external_ids = [{ kind: 'ticket', value: 'T-1' }]
    expect(news({ status: 'not_executed' }, { external_ids })).toMatchObject({
      kind: 'steps',
      steps: [
        {
          request: {
            type: 'contradict',
            reason: 'their record says confirmed: It says so.',
            attempt: null,
            external_ids,
          },
          evidence: [{ kind: 'record' }],
        },
      ],
    })
    expect(type({ status: 'cancelled' }, {})).toBe('contradict')
    expect(type({ status: 'abandoned' }, {})).toBe('contradict')
    expect(type({ status: 'confirmed' }, REFUSED)).toBe('contradict')
  })

  it('is no contradiction of what is open, nor of the same', () => {
    expect(type({ status: 'unknown' }, {})).toBe('import')
    expect(type({ status: 'confirmed' }, {})).toBe('import')
    expect(type({ status: 'confirmed' }, { status: 'unknown' })).toBe('import')
    expect(type({ status: 'not_executed' }, REFUSED)).toBe('import')
  })

  it('with an attempt that was not known goes on, while nobody decided here', () => {
    const further = { attempts: [anAttempt(1, 'not_applied'), anAttempt(2, 'applied')] }
    expect(type({ status: 'not_executed' }, further)).toBe('import')
    expect(type({ status: 'not_executed', lease_fence: 2 }, further)).toBe('contradict')
    expect(type({ status: 'not_executed', provenance: 'library' }, further)).toBe('contradict')
    expect(type({ status: 'cancelled' }, further)).toBe('contradict')
  })
})

/** What a later reading comes to for what the first one left, changed as given. */
function news(over: Partial<Operation>, told: Partial<ImportedOperation>, onFile: Partial<OnFile> = {}) {
  const first = moved(null, { type: 'import', ...takenIn(aRecord(), TAKING).theirs })
  const state: State = { ...first, operation: { ...first.operation, ...over } }
  return newsOf(state, takenIn(aRecord(told), TAKING), { ...NOTHING, ...onFile })
}
