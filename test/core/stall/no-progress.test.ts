import { describe, expect, it } from 'vitest'
import type { StallConfig } from '../../../src/core/stall/limits.js'
import { asked, NOON } from '../builders.js'
import { rulesOf } from './actions.js'
import { HOUR, later, MINUTE, prepared, rulesAfter, sent, withColumns } from './subjects.js'

const LEASE = { lease_expires_at: NOON + 99 * HOUR }

describe('an executor that lives and gets nowhere', () => {
  const living = (signs: object, over: Parameters<typeof sent>[0] = {}) =>
    withColumns(sent(over), { ...LEASE, ...signs }, signs)
  const speaks = (state: ReturnType<typeof sent>, afterMs: number, config: StallConfig = {}) =>
    rulesAfter(state, afterMs, { config }).includes('no_progress')
  const told = { progress_at: NOON + MINUTE, heartbeat_at: NOON + 2 * HOUR }

  it('may be quiet inside a time limit of its own, and no longer', () => {
    const timed = living(told, { timeout_ms: 2 * HOUR })
    expect(speaks(timed, 2 * HOUR)).toBe(false)
    expect(speaks(timed, 2 * HOUR + 1)).toBe(true)
    const short = living(told, { timeout_ms: MINUTE })
    expect(speaks(short, HOUR + MINUTE)).toBe(false)
    expect(speaks(short, HOUR + MINUTE + 1)).toBe(true)
  })

  it('is not excused by a limit that nobody declared', () => {
    expect(speaks(living({ ...told, progress_at: NOON, heartbeat_at: NOON + HOUR }), HOUR + 1)).toBe(true)
    const slow = { defaults: { no_progress: 5 * MINUTE } }
    expect(speaks(living({ ...told, heartbeat_at: NOON + 9 * MINUTE }), 10 * MINUTE, slow)).toBe(true)
  })

  it('lives by what it told after its progress, until its heartbeat counts as lost', () => {
    expect(speaks(living({ ...told, heartbeat_at: NOON + MINUTE }), 2 * HOUR)).toBe(false)
    const config = { defaults: { heartbeat_lost: 9 * HOUR } }
    expect(speaks(living({ ...told, heartbeat_at: NOON + MINUTE }), 2 * HOUR, config)).toBe(false)
    expect(speaks(living({ ...told, heartbeat_at: NOON + MINUTE + 1 }), 2 * HOUR, config)).toBe(true)
    expect(speaks(living(told), 2 * HOUR + 3 * MINUTE)).toBe(true)
    expect(speaks(living(told), 2 * HOUR + 3 * MINUTE + 1)).toBe(false)
    const active = living({ progress_at: NOON, activity_at: NOON + 2 * HOUR })
    expect(speaks(active, 2 * HOUR)).toBe(true)
  })

  it('is judged by the attempt that runs, whatever its row says', () => {
    const state = living(told)
    const signs = { progress_at: NOON + 30 * MINUTE, heartbeat_at: NOON + 2 * HOUR }
    const later = withColumns(state, { updated_at: NOON + HOUR, progress_at: NOON }, signs)
    expect(speaks(later, HOUR + 30 * MINUTE)).toBe(false)
    expect(speaks(later, HOUR + 30 * MINUTE + 1)).toBe(true)
  })

  it('is judged by its row where its attempts were not read', () => {
    const bare = { ...living(told), attempts: [] }
    expect(speaks(bare, 2 * HOUR)).toBe(true)
    const silent = { ...living({ progress_at: NOON + MINUTE, heartbeat_at: null }), attempts: [] }
    expect(speaks(silent, 2 * HOUR)).toBe(false)
  })

  it('is none of a service that works on it, nor one whose operation is not in flight', () => {
    expect(
      speaks(withColumns(living(told), { lease_owner: 'remote', lease_expires_at: NOON }), 2 * HOUR),
    ).toBe(false)
    expect(speaks(withColumns(prepared(), told), 2 * HOUR)).toBe(false)
    expect(speaks(later(living(told), asked.lose(), NOON + 2 * HOUR), 2 * HOUR)).toBe(false)
  })
})

describe('a task that lives and gets nowhere', () => {
  const config = { phases: { slow: { no_progress: 9 * HOUR }, deaf: { heartbeat_lost: 9 * HOUR } } }
  const speaks = (task: object, afterMs: number, over: object = {}) =>
    rulesOf([], { task, afterMs, ...over }).includes('no_progress')

  it('lives by any sign after its last progress, until its heartbeat counts as lost', () => {
    expect(speaks({ heartbeat_at: NOON }, 2 * HOUR, { config, recent: { phase: 'deaf' } })).toBe(false)
    expect(speaks({ heartbeat_at: NOON + 1 }, 2 * HOUR, { config, recent: { phase: 'deaf' } })).toBe(true)
    expect(speaks({ heartbeat_at: NOON + 1 }, 2 * HOUR)).toBe(false)
    expect(speaks({ activity_at: NOON + 2 * HOUR }, 2 * HOUR + 3 * MINUTE)).toBe(true)
    expect(speaks({ activity_at: NOON + 2 * HOUR }, 2 * HOUR + 3 * MINUTE + 1)).toBe(false)
  })

  it('lives by the last thing it did', () => {
    const did = (at: number) => [
      { tool: 'a', at: NOON },
      { tool: 'c', at: NOON + MINUTE },
      { tool: 'b', at },
    ]
    expect(rulesOf(did(NOON + 2 * HOUR), { afterMs: 2 * HOUR })).toEqual(['no_progress'])
    expect(rulesOf(did(NOON + HOUR), { afterMs: 2 * HOUR })).toEqual([])
  })

  it('goes by the limit of the phase that runs', () => {
    const task = { heartbeat_at: NOON + 2 * HOUR }
    expect(speaks(task, 2 * HOUR, { config, recent: { phase: 'slow' } })).toBe(false)
    expect(speaks(task, 2 * HOUR, { config, recent: { phase: 'other' } })).toBe(true)
  })
})
