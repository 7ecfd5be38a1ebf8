import { describe, expect, it } from 'vitest'
import {
  attemptIsLive,
  endsLastDoubt,
  executorGone,
  isProbe,
  isReceipt,
  lateEndIs,
  neverSent,
  probeAsSeen,
  wasSent,
} from '../../../../src/core/transitions/guards/outcome.js'
import { asked, NOON, stampAt } from '../../builders.js'
import { states } from '../cases.js'
import { said, withAttempts, withRow } from './moves.js'

describe('the fence of an attempt', () => {
  it('is held only in flight, by the attempt and the fence that it names', () => {
    expect(said(attemptIsLive, states.sent(), asked.confirm())).toBeNull()
    expect(said(attemptIsLive, states.sent(), asked.resend())).toBeNull()
    const lost = {
      reason: 'attempt 1 no longer holds the fence of ticket-1',
      satisfy: 'its outcome is kept as late evidence',
    }
    expect(said(attemptIsLive, withRow(states.sent(), { status: 'unknown' }), asked.confirm())).toEqual(lost)
    expect(said(attemptIsLive, withAttempts(states.sent(), { end: 'ambiguous' }), asked.confirm())).toEqual(
      lost,
    )
    expect(said(attemptIsLive, states.sent(), asked.confirm({ fence: 1 }))).toEqual(lost)
    expect(said(attemptIsLive, states.sent(), asked.confirm({ attempt: null }))?.reason).toBe(
      'a receipt names its attempt, this one names none of ticket-1',
    )
  })
})

describe('what was ever sent', () => {
  it('is told by the count of attempts', () => {
    expect(said(neverSent, states.prepared(), asked.cancel())).toBeNull()
    expect(said(neverSent, states.lost(), asked.cancel())).toEqual({
      reason: '1 attempts were announced',
      satisfy: 'see their ends',
    })
    expect(said(wasSent, states.lost(), asked.cancel())).toBeNull()
    expect(said(wasSent, states.prepared(), asked.cancel())).toEqual({
      reason: 'nothing was ever sent',
      satisfy: 'see its status',
    })
  })
})

describe('an executor', () => {
  const leaseless = () =>
    withRow(states.sent(), { lease_expires_at: null, lease_boot_id: null, lease_boot_ms: null })

  it('without leases is gone when a person says why', () => {
    const person = (reason: string | null) =>
      said(executorGone, leaseless(), asked.orphan({ why: 'person', reason }))
    expect(person('its machine burnt')).toBeNull()
    for (const reason of [null, ' '])
      expect(person(reason)).toEqual({ reason: 'no reason was given', satisfy: 'give --reason' })
    expect(said(executorGone, leaseless(), asked.orphan())?.satisfy).toBe(
      'its writer takes no leases: a person must say, with a reason, that the writer is gone',
    )
  })

  it('with a lease may be alive until that ends, whoever says so', () => {
    expect(said(executorGone, states.sent(), asked.orphan({ why: 'person', reason: 'x' }))).toEqual({
      reason: 'its executor may still be alive',
      satisfy: 'wait until its lease ends (2026-03-10T12:01:00.000Z), or take the task over',
    })
    expect(said(executorGone, states.sent(), asked.orphan(), { now: stampAt(NOON + 60_000) })).toBeNull()
    expect(said(executorGone, states.sent(), asked.orphan(), { owner_gone: true })).toBeNull()
    expect(said(executorGone, states.sent(), asked.takeover())).toBeNull()
  })
})

describe('what chooses among rows', () => {
  it('is how a confirmation came', () => {
    expect(said(isReceipt, states.sent(), asked.confirm())).toBeNull()
    expect(said(isReceipt, states.sent(), asked.match())).toEqual({
      reason: 'a probe found it',
      satisfy: 'see the probe',
    })
    expect(said(isProbe, states.sent(), asked.match())).toBeNull()
    expect(said(isProbe, states.sent(), asked.confirm())).toEqual({
      reason: 'the attempt no longer holds the fence',
      satisfy: 'its outcome is kept as late evidence',
    })
  })

  it('is how a late attempt ended', () => {
    const applied = lateEndIs('applied', 'ambiguous')
    expect([applied.id, applied.title]).toEqual([
      'late_end_is_applied_or_ambiguous',
      'the late attempt ended applied or ambiguous',
    ])
    expect(said(applied, states.lost(), asked.late('ambiguous'))).toBeNull()
    expect(said(applied, states.lost(), asked.late('not_applied'))).toEqual({
      reason: 'it ended otherwise',
      satisfy: 'a receipt against a settled operation is recorded as contradict',
    })
  })

  it('is whether a late refusal ends the last doubt', () => {
    const doubt = { reason: 'doubt is left', satisfy: 'a person or a probe settles it' }
    const late = asked.late('not_applied')
    expect(said(endsLastDoubt, states.lost(), late)).toBeNull()
    expect(said(endsLastDoubt, states.lost(), { ...late, attempt: 2 })).toEqual(doubt)
    expect(said(endsLastDoubt, withAttempts(states.lost(), { end: 'applied' }), late)).toEqual(doubt)
    expect(said(endsLastDoubt, withAttempts(states.lost(), {}, {}), late)).toEqual(doubt)
    expect(said(endsLastDoubt, withRow(states.lost(), { flags: { contradicted: true } }), late)).toEqual(
      doubt,
    )
    const reopened = withRow(states.lost(), { flags: { reopened: true } })
    const known = { known_external_ids: [{ kind: 'ticket', value: 'T-1' }] }
    expect(said(endsLastDoubt, reopened, late, known)).toEqual(doubt)
    expect(said(endsLastDoubt, reopened, late)).toBeNull()
    expect(said(endsLastDoubt, states.lost(), late, known)).toBeNull()
  })
})

it('a verdict of absence names what was seen before the first read', () => {
  const changed = { reason: 'it changed since the probe began', satisfy: 'run the probe again' }
  expect(said(probeAsSeen, states.lost(), asked.absent())).toBeNull()
  expect(said(probeAsSeen, states.lost(), asked.absent({ seen_attempts: 2 }))).toEqual(changed)
  expect(said(probeAsSeen, states.lost(), asked.absent({ seen_version: 2 }))).toEqual(changed)
  expect(said(probeAsSeen, states.lost(), asked.resend())).toBeNull()
})
