import { describe, expect, it } from 'vitest'
import { SILENCES } from '../../../src/core/stall/silence.js'
import { STALL_RULES, taskStallsOf } from '../../../src/core/stall/stalls.js'
import { asked, aTask, NOON, RECEIPT, stampAt } from '../builders.js'
import { HOUR, later, MINUTE, prepared, rulesAfter, SECOND, sent, withColumns } from './subjects.js'

describe('standing still is no trouble', () => {
  const old = prepared({ deadline_at: NOON + MINUTE })

  it('while it waits for an approval', () => {
    const waiting = prepared({ contract: { approval: 'required' } })
    expect(rulesAfter(waiting, 100 * HOUR)).toEqual([])
  })

  it('while its task waits for a person', () => {
    for (const status of ['waiting_input', 'waiting_approval'] as const) {
      expect(rulesAfter(old, 100 * HOUR, { task: aTask({ status }) })).toEqual([])
    }
  })

  it('while its task is paused', () => {
    for (const status of ['suspended', 'budget_exhausted'] as const) {
      expect(rulesAfter(old, 100 * HOUR, { task: aTask({ status }) })).toEqual([])
    }
  })

  it('while a person holds the task', () => {
    const task = aTask({ taken_over_by: 'ana', taken_over_at: NOON })
    expect(rulesAfter(old, 100 * HOUR, { task })).toEqual([])
  })

  it('until the moment to which a person deferred it, and not after', () => {
    const deferred = withColumns(prepared(), { defer_until: NOON + 2 * HOUR })
    expect(rulesAfter(deferred, 2 * HOUR - 1)).toEqual([])
    expect(rulesAfter(deferred, 2 * HOUR + 15 * MINUTE + 1)).toEqual(['never_sent'])
  })

  it('while the service that accepted it is inside its patience', () => {
    const accepted = later(
      sent({ timeout_ms: SECOND }),
      { type: 'accept', attempt: 1, fence: 2, remote: { kind: 'job', value: 'j-1' }, patience_ms: HOUR },
      NOON + SECOND,
    )
    expect(rulesAfter(accepted, HOUR)).toEqual([])
    expect(rulesAfter(accepted, HOUR + SECOND)).toEqual(['attempt_overdue'])
  })

  it('once it is settled, whatever beats come after', () => {
    const confirmed = later(sent(), asked.confirm(), NOON + SECOND, { evidence: [RECEIPT] })
    const beating = withColumns(
      confirmed,
      { heartbeat_at: NOON + 5 * SECOND },
      { heartbeat_at: NOON + 5 * SECOND },
    )
    expect(beating.operation.status).toBe('confirmed')
    expect(rulesAfter(beating, 100 * HOUR)).toEqual([])
  })
})

describe('what runs is judged whatever its task waits for', () => {
  it('so a dead executor is seen while a sibling waits for an approval', () => {
    const task = aTask({ status: 'waiting_approval' })
    expect(rulesAfter(sent(), 4 * MINUTE, { task })).toEqual(['heartbeat_lost'])
  })
})

describe('tasks', () => {
  const taskRules = (over: Parameters<typeof aTask>[0], afterMs: number) =>
    taskStallsOf({
      task: aTask(over),
      recent: null,
      look: { now: stampAt(NOON + afterMs), isOwnerGone: () => false },
      config: {},
    }).map(({ rule }) => rule)

  it('are stalled just after their last beat has passed the limit', () => {
    const beaten = { heartbeat_at: NOON + MINUTE }
    expect(taskRules(beaten, 4 * MINUTE)).toEqual([])
    expect(taskRules(beaten, 4 * MINUTE + 1)).toEqual(['heartbeat_lost'])
  })

  it('that never beat, wait, are held or are closed lose no heartbeat', () => {
    expect(taskRules({}, HOUR)).toEqual([])
    const beaten = { heartbeat_at: NOON }
    expect(taskRules({ ...beaten, status: 'waiting_input' }, HOUR)).toEqual([])
    expect(taskRules({ ...beaten, taken_over_by: 'ana', taken_over_at: NOON }, HOUR)).toEqual([])
    expect(taskRules({ ...beaten, status: 'completed' }, HOUR)).toEqual([])
  })

  it('are stalled just after their deadline until they are closed', () => {
    const due = { deadline_at: NOON + HOUR }
    expect(taskRules(due, HOUR)).toEqual([])
    expect(taskRules(due, HOUR + 1)).toEqual(['deadline_passed'])
    expect(taskRules({ ...due, status: 'failed' }, 2 * HOUR)).toEqual([])
  })
})

describe('the lists', () => {
  it('name each rule and each silence once, with a title and a reason', () => {
    const ids = STALL_RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(9)
    for (const { title, reason } of STALL_RULES) expect(`${title} ${reason}`).not.toMatch(/^\s|undefined/)
    expect(new Set(SILENCES.map(({ id }) => id)).size).toBe(SILENCES.length)
  })
})
