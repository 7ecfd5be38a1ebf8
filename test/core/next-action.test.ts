import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/core/operation.js'
import { decide } from '../../src/core/transitions/decide.js'
import type { State } from '../../src/core/transitions/requests.js'
import { advise, at } from './advised.js'
import { aContext, asked, aTask, moved, NOON, stampAt } from './builders.js'
import { states } from './transitions/cases.js'

describe('what to do next', () => {
  it('is nothing with what is settled', () => {
    expect(advise(states.confirmed())).toMatchObject({ next_action: 'none', category: null })
    expect(advise(states.refused())).toMatchObject({ next_action: 'none', category: 'refused' })
    expect(advise(states.cancelled())).toMatchObject({ next_action: 'none', category: 'cancelled' })
    expect(advise(states.abandoned())).toMatchObject({ next_action: 'none', category: null })
    expect(advise(states.refused()).reason).toBe('it is settled: not_executed')
  })

  it('is a person where a confirmed write left a mess, and its compensation where it was to be cancelled', () => {
    expect(advise(states.confirmed(), {}, { flags: { duplicates: true } }).next_action).toBe('ask_person')
    expect(advise(states.confirmed(), {}, { flags: { target_differs: 'repo B' } }).reason).toContain('repo B')
    const late = { cancel_requested_at: NOON }
    expect(advise(states.confirmed(), {}, late).next_action).toBe('none')
    const contract = { compensate: { tool: 'tickets.close' } }
    expect(advise(states.confirmed(), {}, { contract }).next_action).toBe('none')
    expect(advise(states.confirmed(), {}, { ...late, contract }).next_action).toBe('compensate')
  })

  it('is to wait for an executor until its lease ends', () => {
    expect(advise(states.sent())).toMatchObject({
      next_action: 'wait',
      not_before: NOON + 60_000,
      category: null,
      domain: 'external_operation',
      operation_id: 'ticket-1',
      attempts: 1,
    })
    const accepted = moved(states.sent(), asked.accept())
    expect(advise(accepted)).toMatchObject({ next_action: 'wait', category: 'accepted' })
    expect(advise(accepted).reason).toBe('the service works on it')
    expect(advise(states.sent()).reason).toBe('its executor holds the lease')
  })

  it('is a person for a writer without leases, until its process is provably gone', () => {
    const sent = moved(states.prepared(), asked.send({ lease_ms: null }))
    expect(advise(sent, at(1e12))).toMatchObject({ next_action: 'ask_person', category: null })
    expect(advise(sent, at(1e12)).reason).toContain('takes no leases')
    const gone = { look: { now: stampAt(NOON), isOwnerGone: () => true } }
    expect(advise(sent, gone)).toMatchObject({ category: 'outcome_unknown' })
  })

  it('is to resume what was prepared and never sent', () => {
    expect(advise(states.prepared())).toMatchObject({
      next_action: 'resume',
      safe_to_repeat: true,
      not_before: null,
      category: null,
    })
  })

  it('is to wait for handback, for the retry, or for a person who approves', () => {
    const held = { task: aTask({ taken_over_by: 'ben' }) }
    expect(advise(states.prepared(), held)).toMatchObject({ next_action: 'wait' })
    expect(advise(states.prepared(), held).reason).toContain('ben')
    expect(advise(states.waiting())).toMatchObject({
      next_action: 'wait',
      reason: 'the service asked to wait',
      not_before: NOON + 5_000,
    })
    expect(advise(states.waiting(), at(5_000)).next_action).toBe('resume')
    expect(advise(states.waiting(), {}, { retry_reason: null }).reason).toBe('a retry is scheduled')
    const required = { contract: { approval: 'required' } } as const
    expect(advise(states.prepared(), {}, required).next_action).toBe('ask_person')
    expect(advise(states.prepared(), {}, { ...required, approval_id: 'approval-1' }).next_action).toBe(
      'resume',
    )
  })

  it('is a person where it was written down before the ledger was copied, whatever else holds', () => {
    const copied = { isOfEarlier: true, task: aTask({ taken_over_by: 'ben' }) }
    expect(advise(states.waiting(), copied)).toMatchObject({
      next_action: 'ask_person',
      reason:
        'it was written down before this ledger was copied or restored, and may have been sent since: look, then cancel it, and allow it again where it is not there',
      not_before: null,
    })
  })

  it('is to resume where nobody read its task, and where the approval it needs is given', () => {
    expect(advise(states.prepared(), { task: null }).next_action).toBe('resume')
    const required = { contract: { approval: 'required' } } as const
    expect(advise(states.prepared(), { isApproved: true }, required).next_action).toBe('resume')
  })

  it('is a person once the deadline has passed', () => {
    expect(advise(states.prepared(), {}, { deadline_at: NOON + 1 }).next_action).toBe('resume')
    expect(advise(states.prepared(), {}, { deadline_at: NOON })).toMatchObject({
      next_action: 'ask_person',
      reason: 'its deadline has passed: is it still wanted?',
    })
  })

  it('is to resume what a person allowed although it may be a duplicate', () => {
    expect(advise(states.preparedInDoubt())).toMatchObject({
      next_action: 'resume',
      safe_to_repeat: false,
      category: 'outcome_unknown',
    })
    expect(advise(states.preparedInDoubt()).reason).toContain('duplicate')
    expect(advise(states.preparedInDoubt(), {}, { extra_attempts: 0 }).next_action).toBe('ask_person')
    expect(advise(states.preparedInDoubt(), {}, { flags: {} }).next_action).toBe('ask_person')
  })
})

describe('why', () => {
  const compensate = { compensate: { tool: 'tickets.close' } }
  const SITUATIONS: readonly [string, State, Partial<Operation>][] = [
    ['it is confirmed', states.confirmed(), {}],
    ['it was done more than once', states.confirmed(), { flags: { duplicates: true } }],
    ['it touched something else', states.confirmed(), { flags: { target_differs: 'repo B' } }],
    ['it was done after a cancel', states.confirmed(), { cancel_requested_at: NOON, contract: compensate }],
    ['it was refused', states.refused(), {}],
    ['it is under way', states.sent(), {}],
    ['it is deferred', states.lost(), { defer_until: NOON + 1 }],
    ['a repeat is safe', states.keyedLost(), {}],
    ['a probe can tell', states.lost(), { contract: { probe: { kind: 'http' } } }],
    ['only a person can tell', states.lost(), {}],
    ['it waits for an approval', states.prepared(), { contract: { approval: 'required' } }],
    ['it was never sent', states.prepared(), {}],
    ['a person allowed it', states.preparedInDoubt(), {}],
  ]

  it.each(SITUATIONS)('is said when %s, in words that are said of nothing else', (_what, state, row) => {
    const reasons = SITUATIONS.map(([, other, over]) => advise(other, {}, over).reason)
    const { reason } = advise(state, {}, row)
    expect(reason).toMatch(/\w+ \w+/)
    expect(reasons.filter(other => other === reason)).toHaveLength(1)
  })

  it('it is a person who looks at what touched another target', () => {
    expect(advise(states.confirmed(), {}, { flags: { target_differs: 'repo B' } }).next_action).toBe(
      'ask_person',
    )
  })
})

describe('the context of the tests', () => {
  it('lets an executor of the first epoch send', () => {
    expect(decide(states.prepared(), asked.send(), aContext()).ok).toBe(true)
  })
})
