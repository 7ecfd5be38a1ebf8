import { describe, expect, it } from 'vitest'
import { adviseOn } from '../../../src/core/advice.js'
import type { CheckpointThread, WillRun } from '../../../src/core/checkpoint.js'
import { type RecordedOperation, withReplayRisk } from '../../../src/core/replay-risk.js'

const run = (over: Partial<WillRun> = {}): WillRun => ({
  node: 'pay',
  task_id: 'task-pay',
  namespace: 'pay:task-pay',
  reason: 'not_finished',
  ...over,
})

function threadOf(over: Partial<CheckpointThread>): CheckpointThread {
  const facts = {
    thread_id: 't1',
    checkpoint_id: 'c2',
    step: 1,
    ts: null,
    get_state_next: ['pay'],
    will_run: [run()],
    enclosing: [],
    saved: [],
    interrupts: [],
    errors: [],
    warnings: [],
    replay_risk: [],
    ...over,
  }
  return { ...facts, advice: adviseOn(facts) }
}

type Made = Partial<NonNullable<RecordedOperation['checkpoint']>> | null

function read(
  made: Made,
  {
    thread = {},
    taskIds = [],
    row = {},
  }: { thread?: Partial<CheckpointThread>; taskIds?: string[]; row?: Partial<RecordedOperation> } = {},
): CheckpointThread {
  const operation: RecordedOperation = {
    operation_id: 'op-1',
    status: 'confirmed',
    may_have_applied: false,
    in_doubt: false,
    provenance: 'record',
    checkpoint: made === null ? null : { source: 'langgraph', thread_id: 't1', ...made },
    ...row,
  }
  return withReplayRisk(threadOf(thread), { operations: [operation], taskIds: new Set(taskIds) })
}

const whyOf = (...asked: Parameters<typeof read>) => read(...asked).replay_risk[0]?.why ?? null
const TWICE =
  'it took effect, nothing guards it, and pay runs again from its first line: it would be sent twice'
const LOST = (node: string) =>
  `it was made by a task of ${node} that has left nothing in the store: a resume does not know that it happened`

describe('an operation is found in a node that runs again', () => {
  it.each<[string, Made, Partial<CheckpointThread>]>([
    ['by its namespace, whatever node it names', { namespace: 'pay:task-pay', node: 'other' }, {}],
    ['in a sub-task of it that has no stored result', { namespace: 'pay:task-pay|t2:task-2' }, {}],
    ['by node and step, after a fork', { namespace: 'pay:of-branch', node: 'pay', step: 2 }, {}],
    ['by node and step, where it names no namespace', { node: 'pay', step: 2 }, {}],
    ['by its node alone, where it names no step either', { node: 'pay' }, {}],
    ['by the node of its namespace', { namespace: 'pay:of-branch', step: 2 }, {}],
    [
      'by the node of its namespace, called for the twelfth time',
      { namespace: 'pay:of-branch|12', step: 2 },
      {},
    ],
    [
      'in the step after the next, where the node comes next',
      { namespace: 'pay:lost', node: 'pay', step: 3 },
      { will_run: [run({ task_id: null, namespace: null, reason: 'following' })] },
    ],
    [
      'by the path of nodes inside a subgraph, whose steps are its own',
      { namespace: 'outer:b|pay:q', node: 'pay', step: 9 },
      { will_run: [run({ namespace: 'outer:a|pay:p' })] },
    ],
  ])('%s', (_, made, thread) => {
    expect(whyOf(made, { thread, taskIds: ['of-branch', 'q', 'lost'] })).toBe(TWICE)
  })
})

describe('an operation of a task whose result is stored is no risk', () => {
  it.each<[string, Made, Partial<CheckpointThread>]>([
    ['in a sub-task of a node that runs', { namespace: 'pay:task-pay|t2:stored' }, {}],
    ['in another step', { namespace: 'pay:stored', node: 'pay', step: 1 }, {}],
    [
      'in the step after the next, where the node runs now',
      { namespace: 'pay:stored', node: 'pay', step: 3 },
      {},
    ],
    ['in a step nobody told', { namespace: 'pay:stored', node: 'pay' }, {}],
    ['where the thread has made no step', { namespace: 'pay:stored', node: 'pay', step: 1 }, { step: null }],
    ['in another subgraph', { namespace: 'outer:b|pay:stored', node: 'pay', step: 2 }, {}],
    [
      'in a subgraph with another path',
      { namespace: 'other:b|pay:stored', node: 'pay', step: 2 },
      { will_run: [run({ namespace: 'outer:a|pay:p' })] },
    ],
    ['called for the third time', { namespace: 'done:stored|3' }, {}],
    ['called for the twelfth time', { namespace: 'done:stored|12' }, {}],
    ['of a node whose name begins with a digit', { namespace: '2nd:stored' }, {}],
    ['named by its task', { task_id: 'stored', node: 'done' }, {}],
    ['named by its node alone, which does not run', { node: 'done' }, {}],
    [
      'beside a node around a subgraph',
      { namespace: 'done:stored' },
      { enclosing: [{ node: 'outer', namespace: 'outer:o' }] },
    ],
    [
      'inside a node around a subgraph',
      { namespace: 'outer:o|done:stored' },
      { enclosing: [{ node: 'outer', namespace: 'outer:o' }] },
    ],
  ])('%s', (_, made, thread) => {
    expect(whyOf(made, { thread, taskIds: ['stored'], row: { in_doubt: true } })).toBeNull()
  })
})

describe('an operation of a task that the store does not know', () => {
  it.each<[Made, string]>([
    [{ namespace: 'n9:gone', node: 'n9' }, 'n9'],
    [{ namespace: 'outer:o|n9:gone' }, 'n9'],
    [{ namespace: 'n9:gone|4' }, 'n9'],
    [{ namespace: 'n9' }, 'n9'],
    [{ task_id: 'gone' }, 'an unnamed node'],
  ])('is invisible to a resume: %j', (made, node) => {
    expect(whyOf(made)).toBe(LOST(node))
  })

  it.each<[Partial<RecordedOperation>, boolean]>([
    [{ status: 'confirmed' }, true],
    [{ status: 'in_flight' }, true],
    [{ status: 'unknown', in_doubt: true }, true],
    [{ status: 'abandoned', may_have_applied: true }, true],
    [{ status: 'abandoned' }, false],
    [{ status: 'prepared' }, false],
    [{ status: 'prepared', may_have_applied: true }, false],
    [{ status: 'not_executed' }, false],
    [{ status: 'cancelled' }, false],
  ])('is a risk where it may have happened: %j %s', (row, isRisk) => {
    expect(whyOf({ namespace: 'n9:gone' }, { row }) !== null).toBe(isRisk)
  })
})

describe('a risk says why', () => {
  const again = { namespace: 'pay:task-pay' }
  it.each<[Partial<RecordedOperation>, Made, string | null]>([
    [{}, again, TWICE],
    [{ status: 'prepared' }, again, null],
    [
      { status: 'unknown', in_doubt: true },
      again,
      'it may have taken effect, and pay runs again from its first line',
    ],
    [
      { status: 'unknown', in_doubt: true, provenance: 'library' },
      again,
      'it may have taken effect, and pay runs again from its first line; its guard stops the node there until it is settled',
    ],
    [
      { status: 'in_flight' },
      again,
      'another executor is sending it now, and pay runs again from its first line',
    ],
    [
      { status: 'abandoned', may_have_applied: true },
      again,
      'whether it took effect was never found out, and pay runs again from its first line',
    ],
    [
      { in_doubt: true, status: 'unknown' },
      null,
      'it may have taken effect, and its record does not say which node made it',
    ],
  ])('%j', (row, made, why) => {
    expect(whyOf(made, { row })).toBe(why)
  })

  it('of a node around a subgraph, that its lines may run again', () => {
    const enclosing = [{ node: 'outer', namespace: 'outer:o' }]
    const [found] = read({ namespace: 'outer:o' }, { thread: { enclosing } }).replay_risk
    expect(found).toMatchObject({
      node: 'outer',
      why: 'it took effect, nothing guards it, and outer, around the subgraph that runs, may run again from its first line: it would be sent twice',
    })
  })
})

describe('the advice', () => {
  const silent = 'no operation is recorded for pay'
  const reasons = (...asked: Parameters<typeof read>) => read(...asked).advice.reasons.join()

  it('counts a node as recorded for by each of its operations, those that are stored too', () => {
    expect(reasons({ namespace: 'done:stored' }, { taskIds: ['stored'] })).toContain(silent)
    expect(reasons({ namespace: 'pay:stored', node: 'pay', step: 1 }, { taskIds: ['stored'] })).not.toContain(
      silent,
    )
    expect(reasons({ node: 'pay', step: 2 })).not.toContain(silent)
  })
})
