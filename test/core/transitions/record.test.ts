import { describe, expect, it } from 'vitest'
import { anApproval, asked, aTask, following, moved, NOON, stampAt, TICKET } from '../builders.js'
import { states } from './cases.js'
import { bodyOf, MINUTE, seen } from './record-body.js'

describe('a send', () => {
  it('announces the attempt with its fence, its clocks, and the last moment it may leave and arrive', () => {
    const { operation, attempts } = states.sent()
    expect(attempts).toMatchObject([
      {
        n: 1,
        fence: 2,
        owner: 'host/boot-1/42',
        sent_at: NOON,
        sent_boot_id: 'boot-1',
        sent_boot_ms: 1_000_000,
        send_by: NOON + MINUTE,
        latest_arrival: NOON + 16 * MINUTE,
        end: null,
        ended_at: null,
        error: null,
      },
    ])
    expect(operation).toMatchObject({
      attempt: 1,
      lease_fence: 2,
      lease_owner: 'host/boot-1/42',
      lease_expires_at: NOON + MINUTE,
      key_first_used_at: NOON,
    })
    expect(bodyOf(states.prepared(), asked.send())).toMatchObject({
      facts: { epoch: 1 },
    })
  })

  it('bounds arrival as the contract says, and not at all where it says unbounded', () => {
    const bounded = following([asked.prepare({ contract: { arrival_bound_ms: 5 } }), asked.send()])
    expect(bounded.attempts[0]?.latest_arrival).toBe(NOON + MINUTE + 5)
    const unbounded = following([
      asked.prepare({ contract: { arrival_bound_ms: 'unbounded' } }),
      asked.send(),
    ])
    expect(unbounded.attempts[0]?.latest_arrival).toBeNull()
  })

  it('may leave no later than the deadline of the operation or of its task', () => {
    const prepared = following([asked.prepare({ deadline_at: NOON + 20_000 })])
    expect(moved(prepared, asked.send()).attempts[0]?.send_by).toBe(NOON + 20_000)
    const task = aTask({ deadline_at: NOON + 10_000 })
    expect(moved(prepared, asked.send(), { task }).attempts[0]?.send_by).toBe(NOON + 10_000)
  })

  it('of a writer without leases takes none, and is bounded like any other', () => {
    const { operation, attempts } = moved(states.prepared(), asked.send({ lease_ms: null }))
    expect(operation).toMatchObject({ lease_owner: 'host/boot-1/42', lease_expires_at: null })
    expect(attempts[0]?.send_by).toBe(NOON + MINUTE)
  })

  it('that repeats under a key must have left before the margin, so that it arrives while the key is known', () => {
    const repeat = { kind: 'idempotency_key', retention_ms: 20 * MINUTE } as const
    const lost = following([asked.prepare({ repeat }), asked.send(), asked.lose()])
    const now = stampAt(NOON + 5 * MINUTE - 10)
    const again = following([asked.resend(), asked.send()], { now }, lost)
    const [, second] = again.attempts
    expect(second?.send_by).toBe(NOON + 5 * MINUTE - 1)
    expect(second?.latest_arrival).toBe(NOON + 20 * MINUTE - 1)
    expect(again.operation.key_first_used_at).toBe(NOON)
  })

  it('clears the time and the reason of the retry it is', () => {
    const now = stampAt(NOON + MINUTE)
    expect(states.waiting().operation).toMatchObject({
      next_attempt_at: NOON + 5_000,
      retry_reason: 'the service asked to wait',
    })
    expect(moved(states.waiting(), asked.send(), { now }).operation).toMatchObject({
      next_attempt_at: null,
      retry_reason: null,
    })
  })
})

describe('an approval', () => {
  const approval = anApproval({ approval_id: 'approval-1', digest: 'sha256:ab', approver: 'ben' })
  const approved = { approval, approval_digest: 'sha256:ab' }
  const used = { approval: { ...approval, used: 1 }, approval_digest: 'sha256:ab' }
  const sent = () => following([asked.prepare(), asked.send()], approved)

  it('is consumed by the send itself, and covers the retry of an attempt that did not apply', () => {
    expect(sent().operation.approval_id).toBe('approval-1')
    const waiting = moved(sent(), asked.scheduleRetry({ next_attempt_at: NOON }))
    const again = bodyOf(waiting, asked.send(), used)
    expect(again.set?.approval_id).toBeUndefined()
    expect(again.attempt?.n).toBe(2)
  })

  it('is spent when the attempt is lost', () => {
    expect(moved(sent(), asked.lose()).operation.approval_id).toBeNull()
  })

  it('stays on a confirmed row, and is spent once that is doubted again', () => {
    const confirmed = moved(sent(), asked.confirm())
    expect(confirmed.operation.approval_id).toBe('approval-1')
    expect(moved(confirmed, asked.reopen()).operation.approval_id).toBeNull()
    expect(moved(confirmed, asked.contradict()).operation.approval_id).toBeNull()
  })
})

describe('an accepted request', () => {
  it('passes the lease to the service for as long as the contract is patient, and keeps its task id', () => {
    const { operation } = moved(states.sent(), asked.accept({ patience_ms: 9 }))
    expect(operation).toMatchObject({
      status: 'in_flight',
      lease_owner: 'remote',
      lease_expires_at: NOON + 9,
      lease_fence: 2,
    })
    expect(bodyOf(states.sent(), asked.accept())).toMatchObject({
      external_ids: [{ kind: 'job', value: 'J-1' }],
      facts: { remote: { kind: 'job', value: 'J-1' } },
    })
  })
})

describe('a settled outcome', () => {
  it('keeps result, ids and who settled it', () => {
    const receipt = asked.confirm({ result_digest: 'sha256:cd' })
    expect(moved(states.sent(), receipt).operation).toMatchObject({
      result: { id: 'T-1' },
      result_digest: 'sha256:cd',
      settled_by: 'receipt',
      flags: {},
    })
    expect(bodyOf(states.sent(), receipt).external_ids).toEqual([TICKET])
    expect(moved(states.lost(), asked.match({ duplicates: true })).operation).toMatchObject({
      settled_by: 'probe',
      flags: { duplicates: true },
    })
  })

  it('by a person carries their name for ever', () => {
    const resolved = moved(states.lost(), asked.resolveConfirmed({ result_digest: 'sha256:ef' }), seen)
    expect(resolved.operation).toMatchObject({
      settled_by: 'person',
      by_hand: { by: 'ana', at: NOON },
      result_digest: 'sha256:ef',
    })
    const reopened = moved(resolved, asked.reopen())
    expect(reopened.operation).toMatchObject({ settled_by: null, by_hand: { by: 'ana' } })
    expect(moved(states.lost(), asked.abandon()).operation).toMatchObject({
      settled_by: 'person',
      by_hand: { by: 'ana' },
    })
  })

  it('by absence ends what was in doubt and nothing else, and names what the probe had seen', () => {
    const state = moved(states.sentAgain(), asked.rejectInDoubt({ attempt: 2, fence: 4 }))
    const absent = asked.absent({ seen_attempts: 2, seen_version: state.operation.version, rules_version: 7 })
    const body = bodyOf(state, absent)
    expect(body.ends).toEqual([{ n: 1, end: 'absent' }])
    expect(body.facts).toEqual({ rules_version: 7, seen_attempts: 2 })
    const after = moved(state, absent)
    expect(after.operation).toMatchObject({
      status: 'not_executed',
      settled_by: 'probe',
      may_have_applied: false,
    })
    expect(after.attempts.map(({ end }) => end)).toEqual(['absent', 'not_applied'])
  })

  it('doubted again turns absence back into doubt, and a definite refusal stays one', () => {
    const state = moved(states.sentAgain(), asked.rejectInDoubt({ attempt: 2, fence: 4 }))
    const absent = moved(state, asked.absent({ seen_attempts: 2, seen_version: state.operation.version }))
    for (const doubt of [asked.reopen(), asked.contradict()])
      expect(moved(absent, doubt).attempts.map(({ end }) => end)).toEqual(['ambiguous', 'not_applied'])
    expect(moved(absent, asked.contradict({ attempt: 1 })).attempts.map(({ end }) => end)).toEqual([
      'applied',
      'not_applied',
    ])
  })

  it('contradicted keeps the ids that contradict it and says so loudly', () => {
    const body = bodyOf(states.refused(), asked.contradict({ attempt: 1, external_ids: [TICKET] }))
    expect(body).toMatchObject({ external_ids: [TICKET], reason: 'a receipt came late' })
    expect(moved(states.refused(), asked.contradict()).operation.flags).toEqual({ contradicted: true })
  })
})

describe('a confirmation', () => {
  const DIGEST = `sha256:${'d'.repeat(64)}`

  it.each([
    ['of a person', asked.resolveConfirmed()],
    ['of a probe', asked.match()],
    ['of a late receipt', asked.late('applied')],
  ])('%s without a result leaves no digest of an earlier one behind', (_, again) => {
    const first = moved(states.lost(), asked.resolveConfirmed({ result: { id: 1 }, result_digest: DIGEST }))
    expect(first.operation).toMatchObject({ result: { id: 1 }, result_digest: DIGEST })
    const { operation } = moved(moved(first, asked.reopen()), again)
    expect(operation).toMatchObject({ status: 'confirmed', result: null, result_digest: null })
  })
})
