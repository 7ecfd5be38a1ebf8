import { describe, expect, it } from 'vitest'
import { checkpointId, taskId, threadOf } from './build-thread.js'

const NULL_TASK = '00000000-0000-0000-0000-000000000000'
const n2 = taskId('n2')
const inside = `n2:${n2}`
const inner = (node: string, namespace = inside) => taskId(node, { namespace })
const nodes = (list: readonly { node: string | null }[]) => list.map(({ node }) => node)

describe('what runs', () => {
  it('is a node whose channel is there and newer than what the node has consumed', () => {
    const start = (versions: Record<string, number>, seen: Record<string, Record<string, number>>) =>
      nodes(threadOf({ checkpoints: [{ values: { 'branch:to:a': null }, versions, seen }] }).thread.will_run)
    expect(start({ 'branch:to:a': 2 }, {})).toEqual(['a'])
    expect(start({ 'branch:to:a': 2 }, { a: { 'branch:to:a': 1 } })).toEqual(['a'])
    expect(start({ 'branch:to:a': 2 }, { a: { 'branch:to:a': 2 } })).toEqual([])
    expect(start({}, {})).toEqual([])
  })

  it('is not a node whose channel holds the mark for undefined', () => {
    const { thread } = threadOf({
      checkpoints: [{ values: { 'branch:to:a': { lc: 2, type: 'undefined' } } }],
    })
    expect(thread.will_run).toEqual([])
  })

  it('is a joining node only when all names were seen, also where a name has a plus sign', () => {
    const join = (channel: string, seen: unknown) =>
      nodes(threadOf({ checkpoints: [{ values: { [channel]: seen } }] }).thread.will_run)
    expect(join('join:a+b:J', ['a'])).toEqual([])
    expect(join('join:a+b:J', ['b', 'a'])).toEqual(['J'])
    expect(join('join:a+b+c:J', ['a+b', 'c'])).toEqual(['J'])
    expect(join('join:a+b:J', [['a', 'b'], false])).toEqual([])
    expect(join('join:a+b:J', [['a', 'b'], true])).toEqual(['J'])
  })

  it('is a deferred node only when everything else has finished', () => {
    const deferred = (value: unknown) =>
      nodes(threadOf({ checkpoints: [{ values: { 'branch:to:D': value } }] }).thread.will_run)
    expect(deferred([null, false])).toEqual([])
    expect(deferred([null, true])).toEqual(['D'])
  })

  it('is every Send with its argument, before the nodes that edges start', () => {
    const { thread } = threadOf({
      checkpoints: [
        {
          values: {
            'branch:to:a': null,
            __pregel_tasks: [
              { node: 'w', args: { i: 1 } },
              { node: 'w', args: { i: 2 } },
            ],
          },
        },
      ],
    })
    expect(thread.will_run.map(({ node, args }) => [node, args])).toEqual([
      ['w', { i: 1 }],
      ['w', { i: 2 }],
      ['a', undefined],
    ])
  })

  it('after all tasks are saved is what they have chosen, and no deferred node before the others', () => {
    const next = (channels: readonly string[], values: Record<string, unknown> = {}) =>
      threadOf({
        checkpoints: [{ values: { 'branch:to:n2': null, ...values } }],
        writes: channels.map((channel, index) => ({ task: n2, channel, index, value: 'n2' })),
      }).thread.will_run.map(({ node, reason, task_id }) => `${node} ${reason} ${task_id}`)
    expect(next(['log', 'branch:to:x'])).toEqual(['x following null'])
    expect(next(['log'])).toEqual([])
    expect(next(['join:n1+n2:J'], { 'join:n1+n2:J': ['n1'] })).toEqual(['J following null'])
    expect(next(['join:n1+n2:J'], { 'join:n1+n2:J': [] })).toEqual([])
    const idle = { 'branch:to:D': { lc: 2, type: 'undefined' } }
    expect(next(['branch:to:D', 'branch:to:x'], idle)).toEqual(['x following null'])
    expect(next(['branch:to:D'], idle)).toEqual(['D following null'])
  })

  it('includes the node a Command sent the run to before the process ended', () => {
    const { thread } = threadOf({ writes: [{ task: NULL_TASK, channel: 'branch:to:other' }] })
    expect(nodes(thread.will_run)).toEqual(['n2', 'other'])
    expect(thread.get_state_next).toEqual(['n2'])
  })

  it('is the input when no node has taken it yet', () => {
    const { thread } = threadOf({ checkpoints: [{ values: { __start__: {} }, step: -1, source: 'input' }] })
    expect(nodes(thread.will_run)).toEqual(['__start__'])
  })
})

describe('what the rows of a task say', () => {
  const reasonFor = (...channels: readonly string[]) => {
    const { thread } = threadOf({ writes: channels.map(channel => ({ task: n2, channel, value: [] })) })
    return thread.will_run[0]?.reason ?? 'saved'
  }

  it.each([
    ['not_finished', []],
    ['errored', ['__error__']],
    ['interrupted', ['__interrupt__']],
    ['interrupted', ['__error__', '__interrupt__']],
    ['errored', ['__interrupt__', '__error__']],
    ['interrupted', ['__interrupt__', '__resume__']],
    ['error_handler', ['__error__', '__error_source_node__']],
    ['saved', ['__no_writes__']],
    ['saved', ['log']],
    ['saved', ['log', '__error__']],
    ['not_finished', ['__scheduled__']],
  ])('%s after %j', (reason, channels) => {
    expect(reasonFor(...channels)).toBe(reason)
  })

  it('an error is named with its text, by name and message or as it was written', () => {
    const text = (value: unknown) =>
      threadOf({ writes: [{ task: n2, channel: '__error__', value }] }).thread.errors[0]?.text
    expect(text({ name: 'TypeError', message: 'no' })).toBe('TypeError: no')
    expect(text("ValueError('no')")).toBe("ValueError('no')")
    expect(text({})).toBe('an error that says nothing of itself')
    expect(text('x'.repeat(5000))).toContain('(5000 characters)')
  })

  it('an aborted task is called unknown, not failed', () => {
    const aborted = (value: unknown) =>
      threadOf({ writes: [{ task: n2, channel: '__error__', value }] }).codes.includes('outcome_unknown')
    expect(aborted({ name: 'AbortError', message: 'This operation was aborted' })).toBe(true)
    expect(aborted('CancelledError()')).toBe(true)
    expect(aborted({ name: 'Error', message: 'AbortError' })).toBe(false)
  })
})

describe('inside subgraphs', () => {
  it('only the inner nodes run, and the node around them is named', () => {
    const { thread } = threadOf({ checkpoints: [{}, { namespace: inside, values: { 'branch:to:s': null } }] })
    expect(thread.will_run).toEqual([
      { node: 's', task_id: inner('s'), namespace: `${inside}|s:${inner('s')}`, reason: 'not_finished' },
    ])
    expect(thread.enclosing).toEqual([{ node: 'n2', namespace: inside }])
  })

  it('the node itself runs when its subgraph has nothing left to run', () => {
    const { thread } = threadOf({ checkpoints: [{}, { namespace: inside, values: {} }] })
    expect(nodes(thread.will_run)).toEqual(['n2'])
    expect(thread.enclosing).toEqual([])
  })

  it('every call of one node is looked into', () => {
    const { thread } = threadOf({
      checkpoints: [
        {},
        { namespace: inside, values: {} },
        { namespace: `${inside}|1`, values: { 'branch:to:s': null } },
        { namespace: `${inside}|2`, values: { 'branch:to:u': null } },
      ],
    })
    expect(nodes(thread.will_run)).toEqual(['s', 'u'])
  })

  it('a subgraph with a state of its own counts when it belongs to this checkpoint', () => {
    const own = (parent: string) =>
      threadOf({
        checkpoints: [{}, { namespace: 'n2', parents: { '': parent }, values: { 'branch:to:s': null } }],
      }).thread
    expect(nodes(own(checkpointId(2, 1)).will_run)).toEqual(['s'])
    expect(nodes(own(checkpointId(1, 0)).will_run)).toEqual(['n2'])
  })

  it('a subgraph that cannot be read is said so', () => {
    const { codes } = threadOf({
      checkpoints: [{}, { namespace: inside, stored: { type: 'json', bytes: Buffer.from('{}') } }],
    })
    expect(codes).toContain('checkpoint_unreadable')
  })

  it('a question asked inside is shown once, with the node that asked', () => {
    const question = { channel: '__interrupt__', value: [{ id: 'q', value: 'sure?' }] }
    const { thread } = threadOf({
      checkpoints: [{}, { namespace: inside, values: { 'branch:to:s': null } }],
      writes: [
        { task: n2, ...question },
        { namespace: inside, task: inner('s'), ...question },
      ],
    })
    expect(thread.interrupts).toEqual([{ id: 'q', node: 's', value: 'sure?', state: 'open' }])
  })

  it('a node that nothing here starts is found by the subgraph it has begun', () => {
    const stranger = '11111111-1111-5111-8111-111111111111'
    const { thread } = threadOf({
      checkpoints: [{ values: {} }, { namespace: `hidden:${stranger}`, values: { 'branch:to:s': null } }],
      writes: [{ task: stranger, channel: '__interrupt__', value: [] }],
    })
    expect(nodes(thread.enclosing)).toEqual(['hidden'])
  })
})

describe('the past of a thread', () => {
  const chain = [
    { n: 0, step: -1, source: 'input', parent: null, values: {} },
    { n: 1, step: 0, parent: 0, values: { 'branch:to:old': null } },
  ]

  it('names both branches of a fork and which one is current', () => {
    const { thread } = threadOf({
      checkpoints: [
        ...chain,
        { n: 2, step: 1, parent: 1, values: {} },
        { n: 3, step: 1, parent: 1, values: {} },
      ],
    })
    const forked = thread.warnings.find(({ code }) => code === 'forked')
    expect(forked?.message).toContain(checkpointId(2, 1))
    expect(forked?.message).toContain(`${checkpointId(3, 1)} (the current one)`)
  })

  it('tells how many steps were never stored', () => {
    const gap = (checkpoints: Parameters<typeof threadOf>[0]['checkpoints']) =>
      threadOf({ checkpoints: checkpoints ?? [] }).thread.warnings.find(
        ({ code }) => code === 'steps_not_stored',
      )?.message
    expect(gap([{ n: 5, step: 4, parent: null }])).toContain('5 steps before')
    expect(gap([...chain, { n: 2, step: 1, parent: 1 }])).toBeUndefined()
  })

  it('lists a question that a newer input has dropped, and the node that was pending', () => {
    const old = taskId('old', { n: 1, step: 1 })
    const { thread } = threadOf({
      checkpoints: [...chain, { n: 2, step: 1, parent: 1, source: 'input', values: {} }],
      writes: [{ at: 1, task: old, channel: '__interrupt__', value: [{ id: 'q', value: 'sure?' }] }],
    })
    expect(thread.interrupts).toEqual([{ id: 'q', node: null, value: 'sure?', state: 'discarded' }])
    expect(thread.warnings.find(({ code }) => code === 'work_discarded')?.message).toContain('old')
    expect(thread.advice.action).toBe('resume_from')
    expect(thread.advice.reasons[0]).toContain(checkpointId(1, 0))
  })

  it('an answer by id makes a question answered, one to another question does not', () => {
    const question = { task: n2, channel: '__interrupt__', value: [{ id: 'a'.repeat(32), value: 1 }] }
    const state = (id: string) =>
      threadOf({ writes: [question, { task: id, channel: '__resume__', value: ['yes'] }] }).thread
        .interrupts[0]?.state
    expect(state('a'.repeat(32))).toBe('answered_outcome_unknown')
    expect(state('b'.repeat(32))).toBe('open')
  })
})

describe('a thread that cannot be understood', () => {
  it('is handed over, and its empty lists are not called done', () => {
    const { thread } = threadOf({
      checkpoints: [{ stored: { type: 'json', bytes: Buffer.from('{"v":4}') } }],
    })
    expect(thread.advice.action).toBe('hand_over')
    expect(thread.checkpoint_id).toBe(checkpointId(2, 1))
    expect(thread.warnings[0]).toMatchObject({ code: 'checkpoint_unreadable' })
  })
})
