import { describe, expect, it } from 'vitest'
import { NOON } from '../builders.js'
import { rulesOf, type Told, times } from './actions.js'
import { HOUR, MINUTE, rulesAfter, SECOND, sent, withColumns } from './subjects.js'

// Shapes that users of other detectors reported: what was called a loop and was none, and what was missed.

const ok = { outcome: 'ok' } as const

const FALSE_ALARMS: readonly (readonly [string, readonly Told[]])[] = [
  [
    'fifty reads of the same queue, each with new data',
    times(50, i => ({
      tool: 'read',
      input: { queue: 'in' },
      result: { id: `m-${i}`, body: 'hello' },
      ...ok,
    })),
  ],
  [
    'a chore over many files, each with another path',
    times(12, i => ({ tool: 'git', input: { args: ['mv', `src/${i}.ts`, 'lib'] }, result: '', ...ok })),
  ],
  [
    'a debugger told `next` again and again, on another line each time',
    times(25, i => ({ tool: 'gdb', input: 'next', result: `main.c:${i + 10}`, ...ok })),
  ],
  [
    'polling every five minutes for a quarter of an hour, with declared sleeps',
    times(4, i => ({
      tool: 'ci.status',
      input: { run: 7 },
      result: 'running',
      ...ok,
      wait_until: NOON + (i + 1) * 5 * MINUTE,
      at: NOON + i * 5 * MINUTE,
    })),
  ],
  [
    'an empty command that waits for a build whose output grows',
    times(10, i => ({ tool: 'bash', input: { command: '' }, result: `compiled ${i * 7} of 200`, ...ok })),
  ],
  [
    'a poll of a tool that is declared to poll',
    times(60, i => ({
      tool: 'job.get',
      input: 'j',
      result: 'queued',
      stall: { polling: HOUR },
      at: NOON + i * 30 * SECOND,
      ...ok,
    })),
  ],
  [
    'a download that is asked how far it got',
    times(8, i => ({ tool: 'download', input: 'x', result: `${i + 1}M of 200M`, ...ok })),
  ],
  [
    'edit and test in turns while fewer tests fail',
    times(16, i =>
      i % 2 === 0
        ? { tool: 'edit', input: { n: i }, result: 'ok', ...ok }
        : { tool: 'test', input: null, result: `${16 - i} failed`, ...ok },
    ),
  ],
  [
    'day after day asked for, with nothing on each',
    times(9, i => ({ tool: 'report', input: { day: `2026-03-0${i + 1}` }, result: [], ...ok })),
  ],
]

const MISSES: readonly (readonly [string, readonly Told[]])[] = [
  [
    '1,535 equal polls in two hours',
    times(1_535, i => ({
      tool: 'process.log',
      input: { session: 'X' },
      result: 'no new output',
      at: NOON + i * 5 * SECOND,
      ...ok,
    })),
  ],
  [
    '62 calls whose output differs only by a clock',
    times(62, i => ({
      tool: 'status',
      input: {},
      result: `[2026-03-10T12:00:${String(i % 60).padStart(2, '0')}.123Z] state=queued (waited ${i}s, request_id=ab${i})`,
      ...ok,
    })),
  ],
  [
    'answers as objects that differ only by their times',
    times(5, i => ({
      tool: 'status',
      input: {},
      result: { state: 'queued', checkedAt: NOON + i, elapsed: i, items: [{ seen_at: i }] },
      ...ok,
    })),
  ],
  [
    'the same call with its thought worded anew each time',
    times(4, i => ({ tool: 'search', input: { query: 'disk', thought: `perhaps ${i}` }, result: [], ...ok })),
  ],
  [
    'the same call with something else said between each',
    times(8, i =>
      i % 2 === 0
        ? { kind: 'message', input: `let me look again ${i}` }
        : { tool: 'search', input: { query: 'disk' }, result: [], ...ok },
    ),
  ],
]

describe('published false alarms', () => {
  it.each(FALSE_ALARMS)('%s: silent', (_, told) => {
    expect(rulesOf(told)).toEqual([])
  })

  it('a quiet build inside a limit of its own: silent', () => {
    const build = withColumns(
      sent({ tool: 'build', timeout_ms: 2 * HOUR }),
      {
        heartbeat_at: NOON + 119 * MINUTE,
        progress_at: NOON + MINUTE,
        progress: 'started',
        lease_expires_at: NOON + 3 * HOUR,
      },
      { heartbeat_at: NOON + 119 * MINUTE, progress_at: NOON + MINUTE },
    )
    expect(rulesAfter(build, 2 * HOUR)).toEqual([])
  })

  it.each(['waiting_input', 'waiting_approval', 'suspended'] as const)(
    'a task that is %s: silent',
    status => {
      const task = { status, heartbeat_at: NOON + 8 * HOUR }
      expect(rulesOf(MISSES[0]?.[1] ?? [], { task, afterMs: 9 * HOUR })).toEqual([])
    },
  )
})

describe('published misses', () => {
  it.each(MISSES)('%s: caught', (_, told) => {
    expect(rulesOf(told)[0]).toBe('loop_same_action_same_result')
  })

  it('a process that beats for hours and achieves nothing: caught', () => {
    const beating = withColumns(
      sent(),
      { heartbeat_at: NOON + 3 * HOUR, progress_at: NOON, lease_expires_at: NOON + 4 * HOUR },
      { heartbeat_at: NOON + 3 * HOUR, progress_at: NOON },
    )
    expect(rulesAfter(beating, 3 * HOUR)).toEqual(['attempt_overdue', 'no_progress'])
    expect(rulesOf([], { task: { heartbeat_at: NOON + 3 * HOUR }, afterMs: 3 * HOUR })).toEqual([
      'no_progress',
    ])
  })
})
