import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCheckpoint } from '../../../src/sources/index.js'
import { WARNINGS } from '../../../src/sources/langgraph/warnings.js'
import { taskId, threadOf } from './build-thread.js'
import { casesWith, expectedOf, FIXTURES } from './real-case.js'

const NULL_TASK = '00000000-0000-0000-0000-000000000000'
const STRANGER = '99999999-9999-5999-8999-999999999999'
const n2 = taskId('n2')

/** The smallest thread for each warning that no real database of the fixtures shows. */
const SMALLEST: Readonly<Record<string, () => string[]>> = {
  checkpoint_unreadable: () =>
    threadOf({ checkpoints: [{ stored: { type: 'msgpack+aes', bytes: Buffer.alloc(40) } }] }).codes,
  checkpoint_missing: () => threadOf({ checkpoints: [], writes: [{ task: STRANGER, channel: 'log' }] }).codes,
  value_unreadable: () =>
    threadOf({ writes: [{ task: n2, channel: 'log', stored: { type: 'pickle', bytes: Buffer.from('x') } }] })
      .codes,
  shared_interrupt_id: () =>
    threadOf({
      writes: [
        {
          task: n2,
          channel: '__interrupt__',
          value: [
            { id: 'same', value: 1 },
            { id: 'same', value: 2 },
          ],
        },
      ],
    }).codes,
  unmatched_writes: () => threadOf({ writes: [{ task: STRANGER, channel: 'log' }] }).codes,
  unnamed_tasks: () => threadOf({ writes: [{ task: STRANGER, channel: '__return__' }] }).codes,
  entrypoint_unnamed: () =>
    threadOf({
      checkpoints: [{ values: { __start__: {} }, step: -1 }],
      writes: [{ task: STRANGER, channel: '__return__' }],
    }).codes,
  subtasks_run_again: () =>
    threadOf({
      checkpoints: [{}, { namespace: `n2:${n2}` }],
      writes: [{ namespace: `n2:${n2}`, task: STRANGER, channel: '__return__' }],
    }).codes,
  join_ambiguous: () => threadOf({ checkpoints: [{ values: { 'join:a+b:c+d': [] } }] }).codes,
  separate_subgraph_state: () => threadOf({ checkpoints: [{}, { namespace: 'sub' }] }).codes,
  checkpoint_lost: () => threadOf({ writes: [{ at: 3, task: STRANGER, channel: 'log' }] }).codes,
  handler_runs_again: () => threadOf({ writes: handledWrites() }).codes,
  route_not_stored: () =>
    threadOf({
      checkpoints: [
        {
          v: 2,
          ts: '2025-01-01T00:00:00+00:00',
          values: { n1: 'n1' },
          seen: { n1: { 'start:n1': 1 } },
        },
      ],
    }).codes,
  // Seen with a real file in open.test.ts.
  file_in_use: () => ['file_in_use'],
  // Seen with a real server in postgres-server.test.ts and postgres.test.ts.
  database_in_use: () => ['database_in_use'],
  read_from_standby: () => ['read_from_standby'],
  history_not_kept: () => ['history_not_kept'],
}

describe('the warnings', () => {
  it('have codes of their own, and each says why a person must know it', () => {
    expect(new Set(WARNINGS.map(({ code }) => code)).size).toBe(WARNINGS.length)
    for (const { title, reason } of WARNINGS) expect(title.length * reason.length).toBeGreaterThan(0)
  })

  it.each(Object.entries(SMALLEST))('%s appears for the smallest thread that deserves it', (code, codes) => {
    expect(codes()).toContain(code)
  })

  it('are each reached by a real database or by a smallest thread', async () => {
    const seen = new Set(Object.keys(SMALLEST))
    for (const name of casesWith('checkpoints.sqlite')) {
      const { threads } = await readCheckpoint(join(FIXTURES, name, 'checkpoints.sqlite'), {
        nodeNames: expectedOf(name).names,
      })
      for (const { warnings } of threads) for (const { code } of warnings) seen.add(code)
    }
    expect([...seen].sort()).toEqual(WARNINGS.map(({ code }) => code).sort())
  })

  it('do not appear for a plain thread that stopped before a node', () => {
    expect(
      threadOf({
        checkpoints: [
          { n: 1, step: 0 },
          { n: 2, parent: 1 },
        ],
      }).codes,
    ).toEqual(['may_have_started', 'steps_not_stored'])
    expect(threadOf({ checkpoints: plainChain() }).codes).toEqual(['may_have_started'])
  })

  it('name an error that came before the results stale, and one after them a failed router', () => {
    const result = { task: n2, channel: 'log' }
    const error = { task: n2, channel: '__error__', value: { name: 'Error', message: 'x' } }
    const checkpoints = plainChain()
    expect(threadOf({ checkpoints, writes: [error, result] }).codes).toEqual(['stale_error'])
    expect(threadOf({ checkpoints, writes: [result, error] }).codes).toEqual(['router_failed'])
    const route = { task: n2, channel: 'branch:to:n3' }
    expect(threadOf({ checkpoints, writes: [result, route, error] }).codes).toEqual([
      'next_is_not_done',
      'stale_error',
    ])
  })

  it('say that an answer which came after the question is used again, and one before it is given to the wrong one', () => {
    const question = { task: n2, channel: '__interrupt__', value: [{ id: 'i2', value: 'q2' }] }
    const answer = { task: NULL_TASK, channel: '__resume__', value: 'a1' }
    const after = threadOf({ writes: [question, answer] }).thread
    expect(after.interrupts[0]?.state).toBe('answered_outcome_unknown')
    expect(after.warnings.map(({ code }) => code)).toContain('answer_outcome_unknown')
    const before = threadOf({ writes: [answer, question] }).thread
    expect(before.interrupts[0]?.state).toBe('answer_reused')
    expect(before.warnings.map(({ code }) => code)).toContain('answer_reused')
    for (const { warnings } of [after, before])
      expect(warnings.find(({ code }) => code === 'answer_stored')?.message).toContain('the answer "a1" is')
  })
})

function plainChain() {
  return [
    { n: 0, step: -1, source: 'input', parent: null },
    { n: 1, step: 0, parent: 0 },
    { n: 2, step: 1, parent: 1 },
  ]
}

function handledWrites() {
  const handler = taskIdOfHandler()
  return [
    { task: n2, channel: '__error__', value: { name: 'Error', message: 'x' } },
    { task: n2, channel: '__error_source_node__', value: 'n2' },
    { task: handler, channel: 'log' },
  ]
}

function taskIdOfHandler(): string {
  const { thread } = threadOf({
    writes: [
      { task: n2, channel: '__error__', value: { name: 'Error', message: 'x' } },
      { task: n2, channel: '__error_source_node__', value: 'n2' },
    ],
  })
  return thread.will_run[0]?.task_id ?? ''
}
