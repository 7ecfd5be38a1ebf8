import { describe, expect, it } from 'vitest'
import { asked, following, moved, NOON, refusalOf, SEEN, stampAt } from './builders.js'

const lost = () => following([asked.prepare(), asked.send(), asked.lose()])
const seen = { evidence: [SEEN] }

describe('the way of an operation', () => {
  it('goes from prepared over in_flight to confirmed, one version an event', () => {
    const { operation, attempts } = following([asked.prepare(), asked.send(), asked.confirm()])
    expect(operation).toMatchObject({
      status: 'confirmed',
      version: 3,
      settled_by: 'receipt',
      lease_owner: null,
    })
    expect(attempts).toMatchObject([{ n: 1, end: 'applied' }])
  })

  it('is unknown when the answer is lost, and may have applied', () => {
    expect(lost().operation).toMatchObject({ status: 'unknown', may_have_applied: true, settled_at: null })
  })

  it('does not count the live attempt as doubt', () => {
    expect(following([asked.prepare(), asked.send()]).operation.may_have_applied).toBe(false)
  })
})

describe('a lost attempt', () => {
  it('is not made not_executed by the refusal of a later attempt', () => {
    const again = following(
      [
        {
          type: 'allow_retry',
          reason: 'the duplicate is harmless',
          expected_version: 3,
          accept_duplicate: 'it may be there twice',
        },
        asked.send(),
      ],
      {},
      lost(),
    )
    const late = { attempt: 2, fence: again.operation.lease_fence }
    expect(refusalOf(again, asked.reject(late)).rule).toBe('no_other_attempt_in_doubt')
    const doubt = moved(again, { ...asked.reject(late), type: 'reject_in_doubt' } as never)
    expect(doubt.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
  })

  it('is not sent again without a safe repeat', () => {
    expect(refusalOf(lost(), { type: 'resend' }).rule).toBe('repeat_safe_or_accepted')
  })

  it('is sent again while the service knows its key, and not after', () => {
    const repeat = { kind: 'idempotency_key', retention_ms: 24 * 3_600_000 } as const
    const keyed = following([asked.prepare({ repeat }), asked.send(), asked.lose()])
    const margin = 15 * 60_000
    const last = NOON + repeat.retention_ms - margin - 1
    expect(moved(keyed, { type: 'resend' }, { now: stampAt(last) }).operation.status).toBe('prepared')
    expect(refusalOf(keyed, { type: 'resend' }, { now: stampAt(last + 1) }).rule).toBe(
      'repeat_safe_or_accepted',
    )
  })
})

describe('a lease', () => {
  it('leads to unknown when it lapses, one millisecond before not', () => {
    const sent = following([asked.prepare(), asked.send()])
    const orphan = { type: 'orphan', why: 'lease_lapsed', reason: null } as const
    expect(refusalOf(sent, orphan, { now: stampAt(NOON + 59_999) }).rule).toBe('executor_gone')
    const { operation } = moved(sent, orphan, { now: stampAt(NOON + 60_000) })
    expect(operation).toMatchObject({ status: 'unknown', may_have_applied: true })
  })

  it('is not lapsed by a wall clock set forward on the boot that took it', () => {
    const sent = following([asked.prepare(), asked.send()])
    const jumped = { ...stampAt(NOON + 1000), at: NOON + 86_400_000 }
    expect(refusalOf(sent, { type: 'orphan', why: 'lease_lapsed', reason: null }, { now: jumped }).rule).toBe(
      'executor_gone',
    )
  })

  it('fences off the old executor: its result is refused and kept as late evidence', () => {
    const sent = following([asked.prepare(), asked.send()])
    const now = stampAt(NOON + 60_000)
    const orphaned = moved(sent, { type: 'orphan', why: 'lease_lapsed', reason: null }, { now })
    expect(refusalOf(orphaned, asked.confirm(), { now }).rule).not.toBe('')
    const late = moved(
      orphaned,
      {
        type: 'late_result',
        attempt: 1,
        fence: 2,
        end: 'applied',
        external_ids: [],
        result: null,
        result_digest: null,
        error: null,
      },
      { now },
    )
    expect(late.operation).toMatchObject({ status: 'confirmed', settled_by: 'receipt' })
  })
})

describe('a person', () => {
  const decision = { reason: 'saw it', expected_version: 3 }
  const confirmed = {
    type: 'resolve_confirmed',
    external_ids: [],
    result: null,
    result_digest: null,
    ...decision,
  } as const

  it('settles with reason, evidence and the version looked at, and it stays marked by hand', () => {
    expect(moved(lost(), confirmed, seen).operation).toMatchObject({
      status: 'confirmed',
      by_hand: { by: 'ana' },
    })
    expect(refusalOf(lost(), { ...confirmed, expected_version: 2 }, seen)).toMatchObject({ code: 'conflict' })
    expect(refusalOf(lost(), confirmed, { evidence: [] }).rule).toBe('evidence_given')
    expect(refusalOf(lost(), { ...confirmed, reason: ' ' }, seen).rule).toBe('reason_given')
  })

  it('may say not executed only after nothing can arrive any more, or --early', () => {
    const no = { type: 'resolve_not_executed', early: false, ...decision } as const
    const arrival = NOON + 60_000 + 15 * 60_000
    expect(refusalOf(lost(), no, { ...seen, now: stampAt(arrival) }).rule).toBe('arrival_passed_or_early')
    const late = moved(lost(), no, { ...seen, now: stampAt(arrival + 1) })
    expect(late.operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
    const early = moved(lost(), { ...no, early: true }, seen)
    expect(early.operation).toMatchObject({
      status: 'not_executed',
      may_have_applied: true,
      flags: { early: true },
    })
  })

  it('cannot cancel what may have happened: it stays unknown', () => {
    const { operation } = moved(lost(), { type: 'cancel', ...decision })
    expect(operation).toMatchObject({ status: 'unknown', cancel_requested_at: NOON })
    expect(refusalOf(moved(lost(), { type: 'cancel', ...decision }), { type: 'resend' }).rule).toBe(
      'no_cancel_asked',
    )
  })
})
