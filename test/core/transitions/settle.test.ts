import { describe, expect, it } from 'vitest'
import type { AttemptEnd } from '../../../src/core/attempt.js'
import type { ExternalId, LastError } from '../../../src/core/operation.js'
import type { Request, State } from '../../../src/core/transitions/requests.js'
import { type Ended, isHeld, settle } from '../../../src/core/transitions/settle.js'
import { asked, following, moved, NOON, SEEN, stampAt } from '../builders.js'

const IDS = [{ kind: 'ticket', value: 'T-1' }]
const ERROR = { rule: 'thrown', message: 'socket hang up', at: NOON, attempt: 1 }
const REPEATABLE = { repeat: { kind: 'conditional', names: 'permanent' } } as const

const sent = () => following([asked.prepare(REPEATABLE), asked.send()])
const lost = () => moved(sent(), asked.lose())
const sentAgain = () => following([{ type: 'resend' }, asked.send()], {}, lost())

describe('while the attempt holds the fence', () => {
  it.each([
    ['a receipt confirms', receipt(), 'confirm'],
    ['a refusal rejects', failed('not_applied'), 'reject'],
    ['anything else loses', failed('ambiguous'), 'lose'],
  ])('%s', (_, ended, request) => {
    expect(requests(sent(), ended)).toEqual([request])
  })

  it('a refusal rejects in doubt where an earlier attempt may have applied', () => {
    const again = sentAgain()
    const held = { attempt: 2, fence: again.operation.lease_fence }
    expect(requests(again, { ...failed('not_applied'), ...held })).toEqual(['reject_in_doubt'])
  })
})

describe('an attempt', () => {
  const held = { attempt: 1, fence: 2 }

  it('may write the outcome while it is the one in flight, under its own fence', () => {
    expect(isHeld(sent(), held)).toBe(true)
  })

  it.each<[string, (state: State) => State, typeof held]>([
    ['the operation is not in flight', state => withRow(state, { status: 'unknown' }), held],
    ['another attempt is in flight', state => withRow(state, { attempt: 2 }), held],
    ['the fence was raised', state => withRow(state, { lease_fence: 3 }), held],
    ['it names another fence', state => state, { ...held, fence: 1 }],
    ['it has ended', state => withEnd(state, 'ambiguous'), held],
    ['it is not on record', state => ({ ...state, attempts: [] }), held],
  ])('may not once %s', (_, change, named) => {
    expect(isHeld(change(sent()), named)).toBe(false)
  })
})

describe('an end of an attempt that holds the fence', () => {
  it('goes into the request as it was told', () => {
    expect(settle(sent(), receipt(), [])).toEqual([
      {
        request: {
          type: 'confirm',
          by: 'receipt',
          attempt: 1,
          fence: 2,
          external_ids: IDS,
          result: { id: 'T-1' },
          result_digest: null,
          duplicates: false,
        },
        evidence: receipt().evidence,
      },
    ])
    expect(settle(sent(), { ...failed('ambiguous'), external_ids: IDS }, [])).toMatchObject([
      { request: { type: 'lose', attempt: 1, fence: 2, error: ERROR, external_ids: IDS } },
    ])
  })

  it('that the service took in is waited for as long as the caller says, else the contract, else a quarter of an hour', () => {
    const remote = { kind: 'job', value: 'J-1' }
    const patient = following([asked.prepare({ contract: { patience_ms: 5_000 } }), asked.send()])
    const request = { type: 'accept', attempt: 1, fence: 2, remote }
    expect(settle(patient, accepted({ remote, patience_ms: 7_000 }), [])).toEqual([
      { request: { ...request, patience_ms: 7_000 }, evidence: [] },
    ])
    expect(settle(patient, accepted({ remote }), [])).toMatchObject([
      { request: { ...request, patience_ms: 5_000 } },
    ])
    expect(settle(sent(), accepted(), [])).toMatchObject([
      { request: { type: 'accept', remote: null, patience_ms: 900_000 } },
    ])
  })
})

describe('when the attempt no longer holds the fence', () => {
  it('what the service took in says nothing of how it ended: its id is kept, and told twice changes nothing', () => {
    const unnamed = withEnd(lost(), null)
    expect(settle(unnamed, accepted({ external_ids: IDS }), [])).toEqual([
      {
        request: {
          type: 'late_result',
          attempt: 1,
          fence: 2,
          end: 'ambiguous',
          external_ids: IDS,
          result: null,
          result_digest: null,
          error: null,
        },
        evidence: [],
      },
    ])
    expect(settle(lost(), accepted({ external_ids: IDS }), IDS)).toEqual([])
    expect(settle(lost(), accepted({ external_ids: IDS }), [])).toHaveLength(1)
  })

  it('a refusal and a loss come with their error', () => {
    const [step] = settle(withEnd(lost(), null), failed('not_applied'), [])
    expect(step?.request).toMatchObject({ type: 'late_result', end: 'not_applied', error: ERROR })
  })

  it('a receipt confirms what is open, and is kept as late evidence', () => {
    const orphaned = moved(sent(), { type: 'orphan', why: 'owner_gone', reason: null }, { owner_gone: true })
    const [step] = settle(orphaned, receipt(), [])
    expect(step).toMatchObject({
      request: { type: 'late_result', end: 'applied' },
      evidence: [{ kind: 'late_result' }],
    })
    expect(told(orphaned, receipt()).operation).toMatchObject({ status: 'confirmed', result: { id: 'T-1' } })
  })

  it('a receipt of the first attempt confirms while the second is still in flight', () => {
    expect(told(sentAgain(), receipt()).operation).toMatchObject({
      status: 'confirmed',
      settled_by: 'receipt',
    })
  })

  it('a receipt contradicts what was settled otherwise, once', () => {
    const settled = moved(
      lost(),
      {
        type: 'resolve_not_executed',
        early: true,
        without_evidence: false,
        reason: 'looked',
        expected_version: null,
      } as Request,
      { evidence: [SEEN] },
    )
    expect(settle(settled, receipt(), [])).toMatchObject([
      {
        request: {
          type: 'contradict',
          reason: 'attempt 1 reported a receipt after it was settled as not_executed',
          attempt: 1,
          external_ids: IDS,
        },
      },
    ])
    const contradicted = told(settled, receipt())
    expect(contradicted.operation).toMatchObject({ status: 'unknown', flags: { contradicted: true } })
    expect(settle(contradicted, receipt(), IDS)).toEqual([])
  })

  it('a refusal of the only attempt in doubt makes it not executed', () => {
    expect(told(lost(), failed('not_applied')).operation).toMatchObject({
      status: 'not_executed',
      may_have_applied: false,
    })
  })

  it('a refusal does not speak for another attempt in doubt', () => {
    const twice = moved(sentAgain(), asked.lose({ attempt: 2, fence: sentAgain().operation.lease_fence }))
    expect(told(twice, failed('not_applied')).operation).toMatchObject({
      status: 'unknown',
      may_have_applied: true,
    })
  })

  it('a lost answer takes nothing back: neither a receipt nor a proof of absence', () => {
    const confirmed = moved(sent(), asked.confirm())
    expect(told(confirmed, failed('ambiguous')).attempts).toMatchObject([{ end: 'applied' }])
    const absent = moved(
      lost(),
      { type: 'absent', rules_version: 1, seen_attempts: 1, seen_version: 3 },
      { evidence: [SEEN], now: stampAt(NOON + 3_600_000) },
    )
    const after = told(absent, failed('ambiguous'))
    expect(after.operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
    expect(after.attempts).toMatchObject([{ end: 'absent' }])
  })

  it('a refusal takes nothing back that the same attempt reported before', () => {
    const reopened = moved(moved(sent(), asked.confirm()), {
      type: 'reopen',
      reason: 'really?',
      expected_version: null,
    })
    const after = told(reopened, failed('not_applied'))
    expect(after.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(after.attempts).toMatchObject([{ end: 'applied' }])
  })
})

describe('telling an end twice', () => {
  it.each([
    ['a receipt', receipt()],
    ['a refusal', failed('not_applied')],
    ['a lost answer', failed('ambiguous')],
  ])('changes nothing: %s', (_, ended) => {
    const once = told(sent(), ended)
    expect(settle(once, ended, IDS)).toEqual([])
  })

  it('keeps another error of a lost attempt, and another external id', () => {
    expect(
      requests(lost(), { ...failed('ambiguous'), error: { ...ERROR, message: 'it was a time-out' } }),
    ).toEqual(['late_result'])
    const confirmed = moved(sent(), asked.confirm())
    const more = receipt([...IDS, { kind: 'ticket', value: 'T-2' }])
    expect(settle(confirmed, more, IDS)).toHaveLength(1)
    const after = moved(confirmed, settle(confirmed, more, IDS)[0]?.request as Request, {
      known_external_ids: IDS,
    })
    expect(after.operation.flags).toMatchObject({ duplicates: true })
  })
})

describe('an id that is on record', () => {
  const known = { kind: 'ticket', value: 'T-1', scope: 'queue-1' }
  const confirmed = () => moved(sent(), asked.confirm())

  it('is the same by kind, value and scope, among whatever else is known', () => {
    const others = [{ kind: 'mail', value: 'M-1' }, known]
    expect(settle(confirmed(), receipt([known]), others)).toEqual([])
    for (const other of [{ kind: 'mail' }, { value: 'T-2' }, { scope: 'queue-2' }])
      expect(settle(confirmed(), receipt([{ ...known, ...other }]), others)).toHaveLength(1)
  })
})

it('keeps the error of an attempt that ended without one', () => {
  expect(settle(withEnd(lost(), 'ambiguous', null), failed('ambiguous'), [])).toHaveLength(1)
  expect(settle(withEnd(lost(), 'not_applied', null), failed('not_applied'), [])).toHaveLength(1)
  expect(settle(withEnd(lost(), 'not_applied', ERROR), failed('not_applied'), [])).toEqual([])
})

it('knows no end of an attempt that was never made', () => {
  expect(settle(sent(), { ...receipt(), attempt: 9 }, [])).toEqual([])
})

function receipt(external_ids: readonly ExternalId[] = IDS): Ended {
  return {
    attempt: 1,
    fence: 2,
    end: 'applied',
    external_ids,
    result: { id: 'T-1' },
    result_digest: null,
    evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: { id: 'T-1' } }],
  }
}

function failed(end: 'not_applied' | 'ambiguous'): Extract<Ended, { error: unknown }> {
  return {
    attempt: 1,
    fence: 2,
    end,
    external_ids: [],
    error: ERROR,
    evidence: [{ kind: 'error', origin: 'observed', attempt: 1, body: {} }],
  }
}

function accepted(over: Partial<Extract<Ended, { end: 'accepted' }>> = {}): Ended {
  const named = { attempt: 1, fence: 2, external_ids: [], evidence: [] }
  return { ...named, end: 'accepted', remote: null, patience_ms: null, ...over }
}

function withRow(state: State, over: Partial<State['operation']>): State {
  return { ...state, operation: { ...state.operation, ...over } }
}

function withEnd(state: State, end: AttemptEnd | null, error: LastError | null = ERROR): State {
  return { ...state, attempts: state.attempts.map(attempt => ({ ...attempt, end, error })) }
}

function requests(state: State, ended: Ended): string[] {
  return settle(state, ended, []).map(({ request }) => request.type)
}

function told(state: State, ended: Ended): State {
  return settle(state, ended, []).reduce(
    (at, { request, evidence = [] }) => moved(at, request, { evidence }),
    state,
  )
}
