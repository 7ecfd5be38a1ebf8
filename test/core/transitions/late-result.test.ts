import { describe, expect, it } from 'vitest'
import type { AttemptEnd } from '../../../src/core/attempt.js'
import type { ExternalId } from '../../../src/core/operation.js'
import type { State } from '../../../src/core/transitions/requests.js'
import { asked, following, moved, NOON, refusalOf, stampAt, TICKET } from '../builders.js'
import { states } from './cases.js'

const anError = { rule: 'http_400', message: 'bad request', at: NOON, attempt: 1 }

function withEnd(state: State, end: AttemptEnd | null): State {
  return {
    ...state,
    attempts: state.attempts.map(attempt => (attempt.n === 1 ? { ...attempt, end } : attempt)),
  }
}

describe('a late result', () => {
  it.each<[known: AttemptEnd | null, late: 'applied' | 'not_applied' | 'ambiguous', end: AttemptEnd | null]>([
    [null, 'ambiguous', 'ambiguous'],
    [null, 'not_applied', 'not_applied'],
    [null, 'applied', 'applied'],
    ['ambiguous', 'not_applied', 'not_applied'],
    ['ambiguous', 'applied', 'applied'],
    ['absent', 'ambiguous', 'absent'],
    ['absent', 'not_applied', 'not_applied'],
    ['absent', 'applied', 'applied'],
    ['not_applied', 'ambiguous', 'not_applied'],
    ['not_applied', 'applied', 'applied'],
    ['applied', 'ambiguous', 'applied'],
    ['applied', 'not_applied', 'applied'],
  ])('after %s says %s: the attempt ended %s, for it replaces only what says less', (known, late, end) => {
    const state = withEnd(states.preparedInDoubt(), known)
    expect(moved(state, asked.late(late)).attempts[0]?.end).toBe(end)
  })

  it('that is a receipt confirms what is open, with its result and its ids', () => {
    const receipt = asked.late('applied', {
      result: { id: 'T-1' },
      result_digest: 'sha256:ab',
      external_ids: [TICKET],
    })
    expect(moved(states.lost(), receipt).operation).toMatchObject({
      status: 'confirmed',
      settled_by: 'receipt',
      result: { id: 'T-1' },
      result_digest: 'sha256:ab',
    })
  })

  it('of an older attempt ends the live one in doubt and takes its fence', () => {
    const after = moved(states.sentAgain(), asked.late('applied'))
    expect(after.attempts.map(({ end }) => end)).toEqual(['applied', 'ambiguous'])
    expect(refusalOf(after, asked.confirm({ attempt: 2, fence: 4 })).code).toBe('refused')
    expect(after.operation.lease_fence).toBe(5)
  })

  it('of the live attempt itself, from the spool, confirms it', () => {
    const after = moved(states.sent(), asked.late('applied'))
    expect(after.attempts.map(({ end }) => end)).toEqual(['applied'])
    expect(after.operation).toMatchObject({ status: 'confirmed', lease_owner: null })
  })

  it('flags a duplicate when it names another object of the same kind than the one known', () => {
    const other = asked.late('applied', { external_ids: [{ kind: 'ticket', value: 'T-2' }] })
    const known = { known_external_ids: [TICKET] }
    expect(moved(states.confirmed(), other, known).operation.flags).toEqual({ duplicates: true })
    const same = asked.late('applied', { external_ids: [TICKET] })
    expect(moved(states.confirmed(), same, known).operation.flags).toEqual({})
    const otherKind = asked.late('applied', { external_ids: [{ kind: 'mail', value: 'M-1' }] })
    expect(moved(states.confirmed(), otherKind, known).operation.flags).toEqual({})
    const oneOfTwo = { known_external_ids: [TICKET, { kind: 'ticket', value: 'T-2' }] }
    expect(moved(states.confirmed(), other, oneOfTwo).operation.flags).toEqual({})
  })

  it('of a second attempt flags a duplicate by what it leaves out: its own id is on file already', () => {
    const twice = states.sentAgain()
    const first = moved(twice, asked.late('applied', { external_ids: [TICKET] }))
    const second = { attempt: 2, fence: 4 }
    const other = { kind: 'ticket', value: 'T-2' }
    const known = { known_external_ids: [TICKET, other] }
    const flags = (external_ids: readonly ExternalId[]) =>
      moved(first, asked.late('applied', { ...second, external_ids }), known).operation.flags.duplicates
    expect(flags([other])).toBe(true)
    expect(flags([TICKET, other])).toBeUndefined()
    expect(flags([{ kind: 'mail', value: 'M-1' }])).toBeUndefined()
    expect(flags([])).toBeUndefined()
  })

  it('flags no duplicate on what it only now confirms', () => {
    const receipt = asked.late('applied', { external_ids: [{ kind: 'ticket', value: 'T-2' }] })
    expect(moved(states.lost(), receipt, { known_external_ids: [TICKET] }).operation.flags).toEqual({})
  })

  it('leaves result and settler of a confirmed row as they are', () => {
    const again = asked.late('applied', { result: 'other', result_digest: 'sha256:ff' })
    expect(moved(states.confirmed(), again).operation).toMatchObject({
      result: { id: 'T-1' },
      result_digest: null,
      settled_by: 'receipt',
    })
  })

  it('that is a refusal is the last error, and is none on a confirmed row', () => {
    const refusal = asked.late('not_applied', { error: anError })
    expect(moved(states.lost(), refusal).operation.last_error).toEqual(anError)
    expect(moved(states.confirmed(), refusal).operation.last_error).toBeNull()
  })

  it('that is a receipt against what was settled otherwise is no late result but a contradiction', () => {
    for (const state of [states.refused(), states.cancelled(), states.abandoned()])
      expect(refusalOf(state, asked.late('applied')).satisfy).toContain('contradict')
  })
})

describe('a late definite refusal', () => {
  it('makes it not executed when it ends the last attempt in doubt', () => {
    const after = moved(states.lost(), asked.late('not_applied'))
    expect(after.operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
  })

  it('leaves it unknown while another attempt is in doubt', () => {
    const second = { attempt: 2, fence: 4 }
    const twice = moved(states.sentAgain(), asked.lose(second))
    const once = moved(twice, asked.late('not_applied', second))
    expect(once.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(moved(once, asked.late('not_applied')).operation.status).toBe('not_executed')
  })

  it('told again after it was reopened settles nothing: it is no news', () => {
    const reopened = moved(states.refused(), asked.reopen())
    expect(moved(reopened, asked.late('not_applied')).operation.status).toBe('unknown')
  })

  it('settles what a person reopened when it is news', () => {
    const absent = moved(states.lost(), asked.absent())
    const reopened = moved(absent, asked.reopen())
    expect(moved(reopened, asked.late('not_applied')).operation.status).toBe('not_executed')
  })

  it('does not settle what was reopened with an id on file, nor what was contradicted, nor against a receipt', () => {
    const known = { known_external_ids: [TICKET] }
    const matched = following([asked.match(), asked.reopen()], {}, states.lost())
    expect(moved(matched, asked.late('not_applied'), known).operation.status).toBe('unknown')
    const contradicted = following([asked.absent(), asked.contradict()], {}, states.lost())
    expect(moved(contradicted, asked.late('not_applied')).operation.status).toBe('unknown')
    const receipt = following([asked.reopen()], {}, states.confirmed())
    expect(moved(receipt, asked.late('not_applied')).operation.status).toBe('unknown')
  })

  it('of what the service had taken in settles it: the id of the job is no receipt', () => {
    const context = {
      now: stampAt(NOON + 3_600_000),
      known_external_ids: [{ kind: 'job', value: 'J-1' }],
    }
    const accepted = moved(states.sent(), asked.accept({ patience_ms: 9 }))
    const lapsed = moved(accepted, asked.orphan(), context)
    expect(moved(lapsed, asked.late('not_applied'), context).operation.status).toBe('not_executed')
  })
})
