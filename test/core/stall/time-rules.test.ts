import { describe, expect, it } from 'vitest'
import type { StallConfig } from '../../../src/core/stall/limits.js'
import { stallsOf } from '../../../src/core/stall/stalls.js'
import { asked, aTask, NOON } from '../builders.js'
import {
  HOUR,
  later,
  MINUTE,
  prepared,
  rulesAfter,
  SECOND,
  sent,
  subjectOf,
  withColumns,
} from './subjects.js'

const NEVER_OVERDUE: StallConfig = { defaults: { attempt_overdue: 1000 * HOUR } }

describe('heartbeat_lost', () => {
  const beaten = withColumns(sent(), { heartbeat_at: NOON + MINUTE }, { heartbeat_at: NOON + MINUTE })

  it('is silent up to its limit after the last sign of life and speaks just after', () => {
    const limit = MINUTE + 3 * MINUTE
    expect(rulesAfter(beaten, limit)).toEqual([])
    expect(rulesAfter(beaten, limit + 1)).toEqual(['heartbeat_lost'])
  })

  it('takes activity and progress for signs of life too', () => {
    const active = withColumns(beaten, { activity_at: NOON + 3 * MINUTE })
    expect(rulesAfter(active, 6 * MINUTE)).toEqual([])
    const achieving = withColumns(active, { progress_at: NOON + 5 * MINUTE })
    expect(rulesAfter(achieving, 8 * MINUTE)).toEqual([])
    expect(rulesAfter(achieving, 8 * MINUTE + 1)).toEqual(['heartbeat_lost'])
  })

  it('takes a sign of the live attempt for one, whatever its row says', () => {
    const active = withColumns(sent(), {}, { activity_at: NOON + 5 * MINUTE })
    expect(rulesAfter(active, 8 * MINUTE)).toEqual([])
    expect(rulesAfter(active, 8 * MINUTE + 1)).toEqual(['heartbeat_lost'])
  })

  it('counts from the send of the live attempt, not from a beat of an earlier one', () => {
    const again = withColumns(sent(), { heartbeat_at: NOON - HOUR })
    expect(rulesAfter(again, 3 * MINUTE)).toEqual([])
  })

  it('does not call a late beat or two a death', () => {
    const everyHalfMinute = withColumns(sent(), { heartbeat_at: NOON })
    for (const ageMs of [35 * SECOND, 62 * SECOND, 95 * SECOND]) {
      expect(rulesAfter(everyHalfMinute, ageMs)).toEqual([])
    }
  })

  it('expects no sign of life from a writer that takes no lease and never beat', () => {
    const leaseless = sent({}, { lease_ms: null })
    expect(rulesAfter(leaseless, HOUR, { config: NEVER_OVERDUE })).toEqual([])
    const beating = withColumns(leaseless, { heartbeat_at: NOON })
    expect(rulesAfter(beating, HOUR, { config: NEVER_OVERDUE })).toEqual(['heartbeat_lost'])
  })

  it('says the age, the limit and where the limit comes from', () => {
    const [stall] = stallsOf(subjectOf(beaten, NOON + 21 * MINUTE, { config: NEVER_OVERDUE }))
    expect(stall?.reason).toBe('no sign of life from its executor for 20m; the limit is 3m, the default')
    expect(stall?.since).toBe(NOON + 4 * MINUTE)
    expect(stall?.limit).toEqual({ ms: 3 * MINUTE, from: 'default' })
  })

  it('says so when nobody has written to the ledger since', () => {
    const reasonOf = (lastEventAt: number) =>
      stallsOf(subjectOf(beaten, NOON + 10 * MINUTE, { lastEventAt }))[0]?.reason
    expect(reasonOf(NOON)).toMatch(/; nobody has written to this ledger since either$/)
    expect(reasonOf(NOON + MINUTE)).toMatch(/nobody/)
    expect(reasonOf(NOON + 5 * MINUTE)).not.toMatch(/nobody/)
    expect(rulesAfter(beaten, 4 * MINUTE, { lastEventAt: NOON })).toEqual([])
  })
})

describe('attempt_overdue', () => {
  const declared = (over: Parameters<typeof sent>[0]) => sent(over, { lease_ms: 100 * HOUR })

  it('speaks just after the time-out of the tool and not at it', () => {
    const state = withColumns(declared({ timeout_ms: 30 * SECOND }), {})
    expect(rulesAfter(state, 30 * SECOND)).toEqual([])
    expect(rulesAfter(state, 30 * SECOND + 1)).toEqual(['attempt_overdue'])
  })

  it('leaves a quiet build alone inside its own limit', () => {
    const build = declared({ contract: { stall: { attempt_overdue: 2 * HOUR, heartbeat_lost: 3 * HOUR } } })
    expect(rulesAfter(build, 2 * HOUR)).toEqual([])
    expect(rulesAfter(build, 2 * HOUR + 1)).toEqual(['attempt_overdue'])
  })

  it('counts from the last progress where nobody declared a limit for the tool', () => {
    const progressing = withColumns(
      declared({}),
      { progress_at: NOON + 14 * MINUTE },
      { progress_at: NOON + 14 * MINUTE },
    )
    const onlyOverdue: StallConfig = { defaults: { heartbeat_lost: 100 * HOUR } }
    expect(rulesAfter(progressing, 29 * MINUTE, { config: onlyOverdue })).toEqual([])
    expect(rulesAfter(progressing, 29 * MINUTE + 1, { config: onlyOverdue })).toEqual(['attempt_overdue'])
  })

  it('calls a writer without leases stalled by age', () => {
    const leaseless = sent({}, { lease_ms: null })
    expect(rulesAfter(leaseless, 15 * MINUTE)).toEqual([])
    expect(rulesAfter(leaseless, 15 * MINUTE + 1)).toEqual(['attempt_overdue'])
  })
})

describe('deadline_passed', () => {
  it('speaks just after the deadline of the operation', () => {
    const state = prepared({ deadline_at: NOON + 5 * MINUTE })
    expect(rulesAfter(state, 5 * MINUTE)).toEqual([])
    expect(rulesAfter(state, 5 * MINUTE + 1)).toEqual(['deadline_passed'])
  })

  it('takes the earlier deadline of the task', () => {
    const state = prepared({ deadline_at: NOON + 5 * MINUTE })
    const task = aTask({ deadline_at: NOON + MINUTE })
    const [stall] = stallsOf(subjectOf(state, NOON + 2 * MINUTE, { task }))
    expect(stall?.reason).toMatch(/^the deadline of its task passed 1m ago/)
  })

  it('has nothing to say about what is already unknown', () => {
    const lost = later(sent({ deadline_at: NOON + MINUTE }), asked.lose(), NOON + 2 * SECOND)
    expect(rulesAfter(lost, HOUR)).toEqual([])
  })
})

describe('retry_overdue', () => {
  const waiting = later(
    sent(),
    {
      type: 'schedule_retry',
      attempt: 1,
      fence: 2,
      error: { rule: 'http_429', message: 'slow down', at: NOON, attempt: 1 },
      next_attempt_at: NOON + 10 * MINUTE,
      retry_reason: 'Retry-After: 600',
    },
    NOON + SECOND,
  )

  it('is silent while the retry lies ahead and until its limit, and speaks just after', () => {
    expect(rulesAfter(waiting, 10 * MINUTE)).toEqual([])
    expect(rulesAfter(waiting, 15 * MINUTE)).toEqual([])
    expect(rulesAfter(waiting, 15 * MINUTE + 1)).toEqual(['retry_overdue'])
  })
})

describe('never_sent', () => {
  it('speaks just after its limit without a sign of the executor', () => {
    expect(rulesAfter(prepared(), 15 * MINUTE)).toEqual([])
    expect(rulesAfter(prepared(), 15 * MINUTE + 1)).toEqual(['never_sent'])
  })

  it('counts from the last sign of the task', () => {
    const task = aTask({ heartbeat_at: NOON + HOUR })
    expect(rulesAfter(prepared(), HOUR + 15 * MINUTE, { task })).toEqual([])
    expect(rulesAfter(prepared(), HOUR + 15 * MINUTE + 1, { task })).toEqual(['never_sent'])
  })

  it('speaks of a task that was closed with something left unsent', () => {
    const task = aTask({ status: 'completed' })
    expect(rulesAfter(prepared(), HOUR, { task })).toEqual(['never_sent'])
  })
})

describe('limits', () => {
  const config: StallConfig = {
    defaults: { never_sent: 4 * MINUTE },
    phases: { release: { never_sent: 3 * MINUTE } },
  }
  const limitOfRow = (over: Parameters<typeof prepared>[0], given: StallConfig) =>
    stallsOf(subjectOf(prepared(over), NOON + HOUR, { config: given }))[0]?.limit

  it('are taken from the tool, else the phase, else the configuration, else the default', () => {
    const contract = { stall: { never_sent: 2 * MINUTE } }
    expect(limitOfRow({ phase: 'release', contract }, config)).toEqual({ ms: 2 * MINUTE, from: 'tool' })
    expect(limitOfRow({ phase: 'release' }, config)).toEqual({ ms: 3 * MINUTE, from: 'phase' })
    expect(limitOfRow({ phase: 'build' }, config)).toEqual({ ms: 4 * MINUTE, from: 'config' })
    expect(limitOfRow({}, {})).toEqual({ ms: 15 * MINUTE, from: 'default' })
  })

  it('are not taken from what every object has when a phase bears such a name', () => {
    expect(limitOfRow({ phase: 'constructor' }, config)).toEqual({ ms: 4 * MINUTE, from: 'config' })
  })
})

describe('no_progress of an operation', () => {
  const beating = (progress_at: number | null, over: Parameters<typeof sent>[0] = {}) => {
    const signs = { heartbeat_at: NOON + 2 * HOUR, progress_at }
    return withColumns(sent(over), { ...signs, lease_expires_at: NOON + 9 * HOUR }, signs)
  }
  const speaks = (state: ReturnType<typeof sent>, afterMs: number) =>
    rulesAfter(state, afterMs).includes('no_progress')

  it('speaks just after its limit since the last progress, while it lives', () => {
    expect(speaks(beating(NOON + MINUTE), HOUR + MINUTE)).toBe(false)
    expect(speaks(beating(NOON + MINUTE), HOUR + MINUTE + 1)).toBe(true)
    expect(speaks(beating(NOON + MINUTE), 2 * HOUR + 3 * MINUTE + 1)).toBe(false)
  })

  it('asks for none where none was ever told of, unless its tool declares a limit', () => {
    expect(speaks(beating(null), 2 * HOUR)).toBe(false)
    const declared = { contract: { stall: { no_progress: HOUR } } }
    expect(speaks(beating(null, declared), HOUR)).toBe(false)
    expect(speaks(beating(null, declared), HOUR + 1)).toBe(true)
  })
})
