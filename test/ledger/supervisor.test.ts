import { Annotation, END, MemorySaver, RunControl, START, StateGraph } from '@langchain/langgraph'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aLedger, held, recordOf } from '../execute/support/ledgers.js'

const call = (n: number, over: object = {}) => ({ id: `op-${n}`, tool: 'mail.send', input: { n }, ...over })

describe('a supervised run', () => {
  it('sends as many operations as its budget of steps allows, pauses for that, and refuses the next', async () => {
    const { ledger, store } = await aLedger()
    const supervisor = await ledger.supervise({ task: 't', budget: { steps: 2 } })
    expect(await supervisor.run(call(1), () => 1)).toMatchObject({ status: 'confirmed' })
    expect(await supervisor.run(call(2), () => 1)).toMatchObject({ status: 'confirmed' })
    expect(supervisor.stopping()).toBeNull()
    let calls = 0
    expect(await supervisor.run(call(3), () => calls++)).toMatchObject({ status: 'waiting' })
    expect(calls).toBe(0)
    expect(supervisor.stopping()).toBe('its budget is used up: 3 of 2 steps')
    expect(await supervisor.finish()).toBe('budget_exhausted')
    expect(await store.task('t')).toMatchObject({ status: 'budget_exhausted', grace_until: null, epoch: 1 })
    const { document } = await ledger.report('t')
    expect(document.task.pause).toMatchObject({ status: 'budget_exhausted' })
  })

  it('stops for what it costs, and for its time', async () => {
    const { ledger } = await aLedger()
    const supervisor = await ledger.supervise({ task: 't', budget: { cost: 1 } })
    expect(await supervisor.step({ cost: 0.6 })).toBe(true)
    expect(await supervisor.step({ cost: 0.6 })).toBe(false)
    expect(await supervisor.finish()).toBe('budget_exhausted')
    const other = await ledger.supervise({ task: 'u', budget: { timeMs: 0 } })
    expect(await other.step()).toBe(false)
    await other.finish()
  })

  it('lets what runs end, sends nothing risky meanwhile, and still reads', async () => {
    const { ledger, store } = await aLedger()
    const supervisor = await ledger.supervise({ task: 't' })
    const { promise, resolve } = held<string>()
    const began = held<void>()
    const first = supervisor.run(call(1), () => {
      began.resolve()
      return promise
    })
    await began.promise
    const stops: string[] = []
    await supervisor.stop('the machine goes down')
    expect(await supervisor.run(call(2), () => stops.push('sent'))).toMatchObject({ status: 'waiting' })
    expect(await supervisor.run(call(3, { effect: 'read' }), () => 'seen')).toMatchObject({
      status: 'confirmed',
    })
    resolve('done')
    expect(await first).toMatchObject({ status: 'confirmed', result: 'done' })
    expect(await supervisor.finish()).toBe('suspended')
    expect(stops).toEqual([])
    expect((await recordOf(store, 'op-1')).operation.status).toBe('confirmed')
    expect(await store.task('t')).toMatchObject({ epoch: 1, status_reason: 'the machine goes down' })
  })

  it('aborts what has not ended when the grace is over, and fences it off', async () => {
    const { ledger, store } = await aLedger()
    const kinds: string[] = []
    const supervisor = await ledger.supervise({
      task: 't',
      graceMs: 20,
      onStop: ({ kind }) => kinds.push(kind),
    })
    const began = held<void>()
    const stuck = held<string>()
    const ran = supervisor.run(call(1), () => {
      began.resolve()
      return stuck.promise
    })
    await began.promise
    await supervisor.stop('enough')
    expect(await supervisor.finish()).toBe('suspended')
    expect(supervisor.signal.aborted).toBe(true)
    expect(kinds).toEqual(['graceful', 'hard'])
    expect((await recordOf(store, 'op-1')).operation.status).toBe('unknown')
    expect((await store.task('t'))?.epoch).toBe(2)
    stuck.resolve('late')
    await ran
    expect((await recordOf(store, 'op-1')).operation.status).toBe('confirmed')
  })

  it('aborts the signal that a handler listens to', async () => {
    const { ledger, store } = await aLedger()
    const supervisor = await ledger.supervise({ task: 't', graceMs: 20 })
    const keepAlive = setInterval(() => {}, 1_000)
    onTestFinished(() => clearInterval(keepAlive))
    const { status } = await supervisor.run(
      call(1),
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
          supervisor.stop('its time is over').catch(reject)
        }),
    )
    expect(status).toBe('unknown')
    expect(await supervisor.finish()).toBe('suspended')
    expect((await recordOf(store, 'op-1')).operation.status).toBe('unknown')
  })

  it('drains a LangGraph run before its next node, and the ledger keeps that it did', async () => {
    const { ledger, store } = await aLedger()
    const control = new RunControl()
    const supervisor = await ledger.supervise({ task: 't', control })
    const ran: string[] = []
    const graph = new StateGraph(Annotation.Root({ n: Annotation<number> }))
      .addNode('first', async () => {
        ran.push('first')
        await supervisor.stop('SIGTERM')
        return { n: 1 }
      })
      .addNode('second', () => {
        ran.push('second')
        return { n: 2 }
      })
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', END)
      .compile({ checkpointer: new MemorySaver() })
    const config = { configurable: { thread_id: '1' }, control }
    await expect(graph.invoke({ n: 0 }, config)).rejects.toThrow()
    expect(ran).toEqual(['first'])
    expect(await supervisor.finish()).toBe('suspended')
    const events = await store.events({ about: { task_id: 't' }, type: 'drain', limit: 9 })
    expect(events).toMatchObject([{ body: { reason: 'SIGTERM' } }])
  })

  it('refuses what is no budget and no control', async () => {
    const { ledger } = await aLedger()
    for (const wrong of [{ budget: { steps: -1 } }, { budget: { tokens: 1 } }, { control: {} }, { grace: 1 }])
      await expect(ledger.supervise({ task: 't', ...wrong } as never)).rejects.toMatchObject({
        code: 'invalid_input',
      })
  })
})
