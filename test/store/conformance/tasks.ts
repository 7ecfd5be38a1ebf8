import { describe, expect, it } from 'vitest'
import type { TaskRequest } from '../../../src/core/transitions/task.js'
import type { By, Store } from '../../../src/store/store.js'
import { NOON } from '../../core/builders.js'
import { ANA, CONFIRM, did, LOSE, later, PREPARE, SEND, tried } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

export function tasksConform(newStore: NewStore): void {
  describe('a task', () => {
    it('is opened with what the agent says of it', async () => {
      const { store } = await newStore()
      const said = {
        goal: 'Keep the disks free',
        agent: 'ops-bot',
        thread: { source: 'langgraph', uri: '/tmp/x.db', thread_id: 't-1' },
        links: ['https://example.org'],
        labels: { team: 'ops' },
        budget: { usd: 5 },
        parent_task_id: 'task-0',
        deadline_at: NOON + 1_000,
        workspace: '/work',
      }
      const { task } = await asked(store, { type: 'open', task: { task_id: 'task-1', ...said } })
      expect(task).toMatchObject({ ...said, status: 'running', epoch: 1, version: 1, created_at: NOON })
      expect(await store.task('task-1')).toEqual(task)
    })

    it('takes more that is said later, and writes nothing when nothing is new', async () => {
      const { store } = await newStore()
      await asked(store, { type: 'open', task: { task_id: 'task-1', goal: 'one', agent: 'bot' } })
      const { task } = await asked(
        store,
        { type: 'open', task: { task_id: 'task-1', goal: 'two' } },
        later(5),
      )
      expect(task).toMatchObject({ goal: 'two', agent: 'bot', version: 2, updated_at: NOON + 5 })
      await asked(store, { type: 'open', task: { task_id: 'task-1', goal: 'two' } }, later(9))
      expect(await store.task('task-1')).toMatchObject({ version: 2, updated_at: NOON + 5 })
    })

    it('closes when it is completed, and only then has a closing time', async () => {
      const { store } = await newStore()
      await asked(store, { type: 'open', task: { task_id: 'task-1' } })
      const paused = await asked(store, {
        type: 'set_status',
        status: 'waiting_input',
        reason: 'which disk?',
      })
      expect(paused.task).toMatchObject({
        status: 'waiting_input',
        status_reason: 'which disk?',
        closed_at: null,
      })
      const done = await asked(store, { type: 'set_status', status: 'completed', reason: null }, later(7))
      expect(done.task).toMatchObject({ status: 'completed', closed_at: NOON + 7 })
    })

    it('answers a refusal for a task that is not there', async () => {
      const { store } = await newStore()
      const { task, refusal } = await asked(store, { type: 'takeover', reason: 'looking' })
      expect([task, refusal?.rule]).toEqual([null, 'task_known'])
    })
  })

  describe('a takeover', () => {
    it('fences every open operation off and raises the epoch, in one commit', async () => {
      const { store } = await newStore()
      await did(store, 'flying', [PREPARE('flying'), SEND()])
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
      await did(store, 'done', [PREPARE('done'), SEND()])
      await did(store, 'done', [CONFIRM()])
      const taken = await asked(store, { type: 'takeover', reason: 'it hangs' }, later(10, 'bob'))
      expect(taken.task).toMatchObject({ taken_over_by: 'bob', taken_over_at: NOON + 10, epoch: 2 })
      expect(taken.operations.map(({ operation }) => [operation.operation_id, operation.status])).toEqual([
        ['flying', 'unknown'],
        ['waiting', 'prepared'],
      ])
      expect(taken.operations[0]?.attempts[0]).toMatchObject({ end: 'ambiguous', send_by: NOON + 60_000 })
      const held = await tried(store, 'flying', [CONFIRM({ fence: 2 })], later(11))
      expect(held.refusal).not.toBeNull()
      const sent = await tried(store, 'waiting', [SEND({ epoch: 1 })], later(12))
      expect(sent.refusal).toMatchObject({ rule: 'task_running' })
      expect((await store.operation('done'))?.operation.version).toBe(3)
    })

    it('is one person at a time, and ends with a handback', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      await asked(store, { type: 'takeover', reason: 'mine' }, later(1, 'bob'))
      const second = await asked(store, { type: 'takeover', reason: 'mine too' }, later(2, 'eve'))
      expect(second.refusal).toMatchObject({ code: 'conflict', reason: expect.stringMatching(/held by bob/) })
      const agent = await asked(
        store,
        { type: 'set_status', status: 'completed', reason: null },
        later(3, 'agent'),
      )
      expect(agent.refusal).toMatchObject({ code: 'conflict' })
      const back = await asked(store, { type: 'handback', reason: 'clear' }, later(4, 'bob'))
      expect(back.task).toMatchObject({
        taken_over_by: null,
        taken_over_at: null,
        epoch: 2,
        status: 'running',
      })
      const old = await tried(store, 'op', [SEND({ epoch: 1 })], later(5))
      expect(old.refusal).toMatchObject({ rule: 'epoch_as_claimed' })
      await did(store, 'op', [SEND({ epoch: 2 })], later(6))
    })

    it('needs a reason', async () => {
      const { store } = await newStore()
      await asked(store, { type: 'open', task: { task_id: 'task-1' } })
      const { refusal } = await asked(store, { type: 'takeover', reason: ' ' })
      expect(refusal).toMatchObject({ rule: 'reason_given' })
    })

    it('of a task without operations still fences its executor off', async () => {
      const { store } = await newStore()
      await asked(store, { type: 'open', task: { task_id: 'task-1' } })
      const { task, operations } = await asked(
        store,
        { type: 'takeover', reason: 'looking' },
        later(1, 'bob'),
      )
      expect([task?.epoch, operations]).toEqual([2, []])
    })
  })

  describe('a cancelled task', () => {
    it('cancels what was never sent and asks the others', async () => {
      const { store } = await newStore()
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'flying', [PREPARE('flying'), SEND()])
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
      const { task, operations } = await asked(store, { type: 'cancel', reason: 'wrong customer' }, later(3))
      expect(task?.status).toBe('cancel_requested')
      expect(operations.map(({ operation }) => [operation.operation_id, operation.status])).toEqual([
        ['waiting', 'cancelled'],
        ['flying', 'in_flight'],
        ['lost', 'unknown'],
      ])
      expect((await store.operation('flying'))?.operation.cancel_requested_at).toBe(NOON + 3)
      const more = await tried(store, 'new', [PREPARE('new'), SEND()], later(4))
      expect(more.refusal).toMatchObject({ rule: 'task_not_cancelled' })
    })

    it('is cancelled at once when nothing of it was sent', async () => {
      const { store } = await newStore()
      await did(store, 'waiting', [PREPARE('waiting')])
      const { task } = await asked(store, { type: 'cancel', reason: 'no longer wanted' }, later(3))
      expect(task).toMatchObject({ status: 'cancelled', closed_at: NOON + 3 })
      const again = await asked(store, { type: 'open', task: { task_id: 'task-1' } }, later(4))
      expect(again.refusal).toMatchObject({ rule: 'no_cancel_asked' })
    })

    it('asks an operation only once', async () => {
      const { store } = await newStore()
      await did(store, 'flying', [PREPARE('flying'), SEND()])
      await asked(store, { type: 'cancel', reason: 'one' }, later(1))
      const { version } = (await store.operation('flying'))?.operation ?? {}
      await asked(store, { type: 'cancel', reason: 'two' }, later(2))
      expect((await store.operation('flying'))?.operation.version).toBe(version)
    })
  })

  describe('the list of tasks', () => {
    it('puts those with something in doubt first and counts their operations', async () => {
      const { store } = await newStore()
      await did(store, 'a', [PREPARE('a', { task_id: 'quiet' }), SEND()], later(1))
      await did(store, 'b', [PREPARE('b', { task_id: 'doubtful' }), SEND(), LOSE()], later(2))
      await did(store, 'c', [PREPARE('c', { task_id: 'doubtful' }), SEND()], later(3))
      await did(store, 'c', [CONFIRM()], later(4))
      const { tasks, left_out } = await store.tasks({ ...LOOK, scope: 'open', limit: 10 })
      expect(left_out).toBe(0)
      expect(tasks.map(({ task }) => task.task_id)).toEqual(['doubtful', 'quiet'])
      expect(tasks[0]).toMatchObject({
        in_doubt: 1,
        oldest_in_doubt_at: NOON + 2,
        counts: { unknown: 1, confirmed: 1, in_flight: 0 },
      })
    })

    it('shows a closed task as long as something of it is open', async () => {
      const { store } = await newStore()
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
      await asked(store, { type: 'set_status', status: 'failed', reason: 'crashed' })
      await asked(store, { type: 'open', task: { task_id: 'done' }, status: 'completed' }, ANA, 'done')
      const open = await store.tasks({ ...LOOK, scope: 'open', limit: 10 })
      expect(open.tasks.map(({ task }) => task.task_id)).toEqual(['task-1'])
      const all = await store.tasks({ ...LOOK, scope: 'all', limit: 1 })
      expect([all.tasks.length, all.left_out]).toEqual([1, 1])
    })

    it('counts an operation in flight as in doubt once its lease has lapsed or its owner is gone', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND({ owner: 'p' })])
      const seen = async (look: object) =>
        (await store.tasks({ ...LOOK, ...look, scope: 'open', limit: 1 })).tasks[0]?.in_doubt
      expect(await seen({})).toBe(0)
      expect(await seen({ goneOwners: ['p'] })).toBe(1)
      expect(await seen({ now: later(60_001).clock() })).toBe(1)
    })

    it('gives a report everything of one task', async () => {
      const { store } = await newStore()
      await did(store, 'one', [PREPARE('one'), SEND()])
      await did(store, 'one', [CONFIRM()])
      await did(store, 'two', [PREPARE('two')])
      await asked(store, { type: 'open', task: { task_id: 'child', parent_task_id: 'task-1' } }, ANA, 'child')
      const record = await store.taskRecord('task-1')
      expect(record?.operations.map(({ operation_id }) => operation_id)).toEqual(['one', 'two'])
      expect(record?.attempts.get('one')).toHaveLength(1)
      expect(record?.external_ids.get('one')).toEqual([{ kind: 'ticket', value: 'T-1' }])
      expect(record?.children.map(({ task_id }) => task_id)).toEqual(['child'])
      expect(await store.taskRecord('nobody')).toBeNull()
    })
  })
}

const LOOK = { now: ANA.clock(), goneOwners: [] as string[] }

function asked(store: Store, request: TaskRequest, by: By = ANA, task_id = 'task-1') {
  return store.changeTask({ task_id, request, by, isOwnerGone: () => false })
}
