import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/approval.js'
import type { Intent, Repeat } from '../../../src/core/operation.js'
import { attach, orphanReason, type Wanted } from '../../../src/core/transitions/attach.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { aContext, anApproval, anIntent, asked, aTask, following, moved, NOON, stampAt } from '../builders.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }
const AFTER_LEASE = stampAt(NOON + 60_000)

describe('asking for an operation that is not there', () => {
  it('prepares and sends it', () => {
    expect(stepsOf(null)).toEqual(['prepare', 'send'])
  })

  it('comes to nothing where only an id is named', () => {
    expect(attach(null, { ...wanted(), intent: null }, aContext())).toEqual({
      steps: [],
      refusal: null,
      other: null,
    })
  })
})

describe('asking for one that is there', () => {
  it('writes nothing where it is confirmed, cancelled or abandoned', () => {
    const cancel = { type: 'cancel', reason: 'no', expected_version: null } as const
    const abandon = { type: 'abandon', reason: 'no', expected_version: null } as const
    expect(stepsOf(following([asked.prepare(), asked.send(), asked.confirm()]))).toEqual([])
    expect(stepsOf(following([asked.prepare(), cancel]))).toEqual([])
    expect(stepsOf(following([asked.prepare(), asked.send(), asked.lose(), abandon]))).toEqual([])
  })

  it('sends one that is prepared', () => {
    expect(stepsOf(following([asked.prepare()]))).toEqual(['send'])
  })

  it('names the epoch that this executor claimed of its task', () => {
    const epochOf = (task: string) => (task === 'task-1' ? 7 : null)
    const prepared = following([asked.prepare()])
    const here = attach(prepared, wanted({}, { epochOf }), aContext({ task: aTask({ epoch: 7 }) }))
    expect(here.steps).toMatchObject([{ request: { type: 'send', epoch: 7 } }])
    const fenced = attach(prepared, wanted({}, { epochOf }), aContext({ task: aTask({ epoch: 8 }) }))
    expect([fenced.steps, fenced.refusal?.rule]).toEqual([[], 'epoch_as_claimed'])
  })

  it('leaves one alone that is in flight under a live lease, one millisecond before it ends', () => {
    const sent = following([asked.prepare(), asked.send()])
    expect(stepsOf(sent, { now: stampAt(NOON + 59_999) })).toEqual([])
    expect(stepsOf(sent, { now: AFTER_LEASE })).toEqual(['orphan'])
  })

  it('records why its executor is gone, and does not send it again without a safe repeat', () => {
    const sent = following([asked.prepare(), asked.send()])
    const { steps, refusal } = attach(sent, wanted(), aContext({ owner_gone: true }))
    expect(steps).toMatchObject([
      {
        request: { type: 'orphan', why: 'owner_gone' },
        evidence: [{ kind: 'lease', origin: 'observed', attempt: 1, body: { owner: 'host/boot-1/42' } }],
      },
    ])
    expect(refusal?.rule).toBe('repeat_safe_or_accepted')
  })

  it('sends a lost one again where a repeat is safe, an orphan in the same commit', () => {
    const lost = following([asked.prepare({ repeat: KEYED }), asked.send(), asked.lose()])
    expect(stepsOf(lost, {}, { repeat: KEYED })).toEqual(['resend', 'send'])
    const sent = following([asked.prepare({ repeat: KEYED }), asked.send()])
    expect(stepsOf(sent, { now: AFTER_LEASE }, { repeat: KEYED })).toEqual(['orphan', 'resend', 'send'])
  })

  it('writes no resend whose send would be refused', () => {
    const lost = following([
      asked.prepare({ repeat: KEYED, deadline_at: NOON + 1000 }),
      asked.send(),
      asked.lose(),
    ])
    const late = attach(lost, wanted({ repeat: KEYED }), aContext({ now: stampAt(NOON + 1000) }))
    expect([late.steps, late.refusal?.rule]).toEqual([[], 'deadline_ahead'])
  })

  it('never sends a lost one again after a person reopened it, or with an id on file', () => {
    const reopen: Request = { type: 'reopen', reason: 'really?', expected_version: null }
    const reopened = following([asked.prepare({ repeat: KEYED }), asked.send(), asked.confirm(), reopen])
    expect(stepsOf(reopened, {}, { repeat: KEYED })).toEqual([])
    const lost = following([asked.prepare({ repeat: KEYED }), asked.send(), asked.lose()])
    expect(
      stepsOf(lost, { known_external_ids: [{ kind: 'ticket', value: 'T-1' }] }, { repeat: KEYED }),
    ).toEqual([])
  })

  it('runs one again that was not executed, while attempts are left', () => {
    const rejected = (max_attempts: number) =>
      following([asked.prepare({ max_attempts }), asked.send(), asked.reject()])
    expect(stepsOf(rejected(2), {}, { max_attempts: 2 })).toEqual(['rerun', 'send'])
    expect(stepsOf(rejected(1), {}, { max_attempts: 1 })).toEqual([])
  })
})

describe('a prepared one that may not be sent now', () => {
  const prepared = following([asked.prepare()])

  it.each([
    ['its task is held', { task: aTask({ taken_over_by: 'ana' }) }, 'task_running'],
    ['its task is paused', { task: aTask({ status: 'waiting_input' }) }, 'task_running'],
    ['it comes from before a restore', { new_incarnation: true }, 'same_incarnation'],
  ] as const)('waits as it is: %s', (_, context, rule) => {
    const { steps, refusal } = attach(prepared, wanted(), aContext(context))
    expect([steps, refusal?.rule]).toEqual([[], rule])
  })

  it('waits for an approval that has not come', () => {
    const contract = { approval: 'required' } as const
    const state = following([asked.prepare({ contract })])
    const { steps, refusal } = attach(state, wanted({ contract }), aContext())
    expect([steps, refusal?.rule]).toEqual([[], 'approval_matches'])
  })

  it('is withdrawn when its leave is gone and something was sent before', () => {
    const granted = allowedAgain()
    expect(stepsOf(granted, { now: stampAt(NOON + 90_000_000) }, { repeat: KEYED })).toEqual(['withdraw'])
    const after = moved(granted, { type: 'withdraw', reason: 'the key is no longer known' })
    expect(after.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
  })

  it('is withdrawn when its approval was taken back, not when it is used up', () => {
    const contract = { approval: 'required' } as const
    const approval = (over: Partial<Approval>) => anApproval({ used: 1, ...over })
    const state = allowedAgain({ contract })
    const context = (over: Partial<Approval>) => ({ approval: approval(over), approval_digest: 'd' })
    const over = { contract, repeat: KEYED }
    expect(stepsOf(state, context({}), over)).toEqual([])
    expect(stepsOf(state, context({ revoked_at: NOON }), over)).toEqual(['withdraw'])
    expect(stepsOf(state, context({ expires_at: NOON, used: 0 }), over)).toEqual(['withdraw'])
  })

  it('never sent stays as it is, without an event at each asking', () => {
    const late = attach(following([asked.prepare({ deadline_at: NOON })]), wanted(), aContext())
    expect([late.steps, late.refusal?.rule]).toEqual([[], 'deadline_ahead'])
  })
})

describe('another intent under the same id', () => {
  it('is told apart by digest, tool and target, and nothing is written', () => {
    const state = following([asked.prepare()])
    const { steps, other } = attach(state, wanted({ input: { title: 'Disk full', at: 1 } }), aContext())
    expect(steps).toEqual([])
    expect(other).toEqual({
      rule: null,
      stored_digest: state.operation.input_digest,
      given_digest: anIntent({ input: { title: 'Disk full', at: 1 } }).input_digest,
      differences: [{ path: 'input.at', kind: 'added' }],
    })
  })

  it('is not told by fields that its contract leaves out of the digest', () => {
    const input = { title: 'Disk full', at: 2 }
    const { other } = attach(
      following([asked.prepare()]),
      wanted({ input, input_digest: anIntent().input_digest }),
      aContext(),
    )
    expect(other).toBeNull()
  })

  it('is told even where the stored input was blanked', () => {
    const stored = following([asked.prepare()])
    const blanked = { ...stored, operation: { ...stored.operation, input: { title: 'other' } } }
    const { other } = attach(blanked, wanted({ input: { title: 'other' } }), aContext())
    expect(other?.differences).toEqual([{ path: 'input', kind: 'changed' }])
  })
})

it('gives a reason for an orphan only where the table has one', () => {
  const { operation } = following([asked.prepare(), asked.send()])
  expect(orphanReason(operation, { now: stampAt(NOON), owner_gone: false })).toBeNull()
  expect(orphanReason(operation, { now: stampAt(NOON), owner_gone: true })).toBe('owner_gone')
  expect(orphanReason(operation, { now: AFTER_LEASE, owner_gone: false })).toBe('lease_lapsed')
})

/** In doubt, and a person allowed one more attempt while the key was known. */
function allowedAgain(over: Partial<Intent> = {}): State {
  const approval = over.contract?.approval === undefined ? {} : { approval: null }
  const lost = moved(
    moved(moved(null, asked.prepare({ ...over, repeat: KEYED })), asked.send(), {
      ...approval,
      ...unlocked(over),
    }),
    asked.lose(),
  )
  return moved(lost, {
    type: 'allow_retry',
    reason: 'again',
    expected_version: null,
    accept_duplicate: null,
  })
}

function unlocked(over: Partial<Intent>): Partial<Context> {
  if (over.contract?.approval === undefined) return {}
  return { approval: anApproval({ approval_id: 'a-0' }), approval_digest: 'd' }
}

describe('a dispatcher that asks for', () => {
  it('what certainly did not happen is led nowhere: nobody wants it now', () => {
    const state = following([asked.prepare(), asked.send(), asked.reject()])
    const byCaller = { ...wanted(), intent: null }
    expect(attach(state, byCaller, aContext()).steps.map(({ request }) => request.type)).toEqual([
      'rerun',
      'send',
    ])
    expect(attach(state, { ...byCaller, rerun: false }, aContext())).toEqual({
      steps: [],
      refusal: null,
      other: null,
    })
  })
})

describe('a repeat that is safe', () => {
  const keyed = { repeat: { kind: 'idempotency_key', retention_ms: 86_400_000 } } as const

  it('is sent at once when its wait is over, else scheduled for then', () => {
    const state = following([asked.prepare(keyed), asked.send(), asked.lose()])
    const types = (jitter: number, at: number) =>
      attach(state, wanted(keyed, { jitter }), aContext({ now: stampAt(at) })).steps.map(
        ({ request }) => request.type,
      )
    expect(types(0.8, NOON + 399)).toEqual(['resend'])
    expect(types(0.8, NOON + 400)).toEqual(['resend', 'send'])
  })

  it('takes its place in the quota of its destination, also when it is sent at once', () => {
    const over = { ...keyed, contract: { retry: { quota: { retries: 2, per_ms: 1_000 } } } }
    const state = following([asked.prepare(over), asked.send(), asked.lose()])
    const quota = { destination: 'tickets.create', used_until: NOON + 500 }
    expect(attach(state, wanted(over), aContext()).steps).toMatchObject([
      { request: { type: 'resend', retry: { next_attempt_at: NOON, quota } } },
      { request: { type: 'send' } },
    ])
    const plain = following([asked.prepare(keyed), asked.send(), asked.lose()])
    expect(attach(plain, wanted(keyed), aContext()).steps[0]).toEqual({
      request: { type: 'resend', retry: null },
    })
  })
})

function wanted(over: Partial<Intent> = {}, send: Partial<Wanted['send']> = {}): Wanted {
  return {
    intent: anIntent(over),
    asking: {},
    rerun: true,
    send: { owner: 'me', lease_ms: 60_000, epochOf: () => null, jitter: 0, ...send },
  }
}

function stepsOf(state: State | null, context: Partial<Context> = {}, over: Partial<Intent> = {}): string[] {
  return attach(state, wanted(over), aContext(context)).steps.map(({ request }) => request.type)
}
