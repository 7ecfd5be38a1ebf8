import { join } from 'node:path'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { type StructuredTool, tool } from '@langchain/core/tools'
import {
  type BaseCheckpointSaver,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { guardTool, retryOn } from '../../../src/execute/wrappers/langgraph.js'
import { LedgerError, type LedgerEvent, type LedgerWarning, notExecuted } from '../../../src/index.js'
import { type Ledger, openLedger } from '../../../src/ledger.js'
import { openStoreForReading } from '../../../src/store/open.js'
import { type FakeService, startService } from '../../../src/testing/index.js'
import { aDirectory } from '../../store/support/places.js'

const THREAD = { configurable: { thread_id: 'alert-4711' } }
const DROP = { action: 'create', calls: [1], fault: { kind: 'drop_response' } } as const
let service: FakeService
let ledger: Ledger
let warnings: LedgerWarning[]
let events: LedgerEvent[]

beforeEach(async () => {
  service = await startService({ faults: [DROP] })
  warnings = []
  events = []
  ledger = await openLedger(join(aDirectory(), 'ledger.db'), {
    onWarning: warning => warnings.push(warning),
    onEvent: event => events.push(event),
  })
  onTestFinished(async () => {
    await ledger.close()
    await service.close()
  })
})

describe.each<[string, () => BaseCheckpointSaver]>([
  ['MemorySaver', () => new MemorySaver()],
  ['SqliteSaver', () => SqliteSaver.fromConnString(join(aDirectory(), 'checkpoint.sqlite'))],
])('A ToolNode whose tool loses its answer, with %s', (_, saver) => {
  test('pauses with the recovery record; settled and resumed it has the result, and the service one ticket', async () => {
    const graph = graphOf([openTicket()], [call('Disk full')], saver())
    const paused = await graph.invoke({ messages: [] }, THREAD)
    expect(paused).toMatchObject({
      __interrupt__: [
        {
          value: {
            status: 'unknown',
            tool: 'open_ticket',
            next_action: { domain: 'external_operation', safe_to_repeat: false, next_action: 'ask_person' },
            told: expect.stringContaining('Do not call it again'),
          },
        },
      ],
    })
    const { operation_id } = recordIn(paused)
    expect(operation_id).toMatch(/^alert-4711\/tools:[0-9a-f-]+\/1\/open_ticket$/)

    // Resumed too early: LangGraph runs the node again, and it pauses again.
    const early = await graph.invoke(new Command({ resume: 'go on' }), THREAD)
    expect(recordIn(early)).toMatchObject({ status: 'unknown', operation_id })

    await settle(operation_id)
    const done = await graph.invoke(new Command({ resume: 'go on' }), THREAD)
    expect(textsOf(done.messages)).toEqual(['{"id":"TICKET-1"}', 'done'])
    expect(service.effects()).toHaveLength(1)
    expect(service.calls()).toHaveLength(1)
    expect(warnings).toEqual([])
  })
})

describe('Ids in a graph', () => {
  test('tell two calls of one message apart', async () => {
    service.setFaults([])
    const graph = graphOf([openTicket()], [call('Disk full', 'a'), call('Swap full', 'b')])
    const done = await graph.invoke({ messages: [] }, THREAD)
    expect(textsOf(done.messages).at(-1)).toBe('done')
    expect(service.effects()).toHaveLength(2)
    const ids = events.filter(({ type }) => type === 'sent').map(({ operation_id }) => operation_id)
    expect(ids.map(id => id.split('/').slice(-2).join(' '))).toEqual(['1 open_ticket', '2 open_ticket'])
  })

  test('are those of the first run when one of two calls makes the node run again', async () => {
    const graph = graphOf([openTicket()], [call('Disk full', 'a'), call('Swap full', 'b')])
    const paused = await graph.invoke({ messages: [] }, THREAD)
    // The other call goes on while the graph pauses.
    await expect.poll(() => events.filter(({ type }) => type === 'confirmed')).toHaveLength(1)
    await settle(recordIn(paused).operation_id)
    const done = await graph.invoke(new Command({ resume: 'seen' }), THREAD)
    expect(done.messages.filter(message => message instanceof ToolMessage)).toHaveLength(2)
    expect(
      service
        .effects()
        .map(({ body }) => Object(body).title)
        .sort(),
    ).toEqual(['Disk full', 'Swap full'])
    expect(service.calls()).toHaveLength(2)
  })

  test('come from the call itself where there is no message, and other input under one id is refused', async () => {
    service.setFaults([])
    const guarded = openTicket()
    const node = async () => {
      const first = await guarded.invoke({ title: 'Disk full' })
      const again = await guarded.invoke({ title: 'Disk full' })
      expect(again).toEqual(first)
      await expect(guarded.invoke({ title: 'Swap full' })).rejects.toMatchObject({ code: 'different_input' })
      return { messages: [] }
    }
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('node', node)
      .addEdge(START, 'node')
      .addEdge('node', END)
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke({ messages: [] }, THREAD)
    expect(service.effects()).toHaveLength(1)
  })

  test('need a thread', async () => {
    await expect(openTicket().invoke({ title: 'Disk full' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('outside of a graph'),
    })
    expect(service.calls()).toEqual([])
  })
})

describe('What a model is told without interrupts', () => {
  test.each([
    ['a lost answer', [DROP], /^UNKNOWN: .* may have taken effect\. Do not call it again/],
    [
      'a certain refusal',
      [{ action: 'create', fault: { kind: 'answer', stage: 'request', status: 422 } }],
      /^NOT EXECUTED: .* certainly did not take effect: the service answered 422\.$/,
    ],
  ] as const)('of %s says whether to call again', async (_, faults, told) => {
    service.setFaults(faults)
    const graph = graphOf([openTicket({ interrupt: undefined })], [call('Disk full')])
    const done = await graph.invoke({ messages: [] }, THREAD)
    const [text, last] = textsOf(done.messages)
    expect(text).toMatch(told)
    expect(last).toBe('done')
  })
})

describe('The guarded tool', () => {
  test('is the same tool to whoever asks', () => {
    const inner = ticketTool()
    const guarded = guardTool(ledger, inner)
    expect([guarded.name, guarded.schema, guarded.description]).toEqual([
      inner.name,
      inner.schema,
      inner.description,
    ])
    expect(guarded instanceof inner.constructor).toBe(true)
  })

  test('hands its function the key and the place for ids, and points the ledger to the checkpoint', async () => {
    service.setFaults([])
    await graphOf([openTicket()], [call('Disk full')]).invoke({ messages: [] }, THREAD)
    const store = await openStoreForReading({ url: ledger.location })
    const found = await store.operation(events[0]?.operation_id ?? '')
    await store.close()
    expect(service.calls()[0]?.key).toBe(found?.operation.idempotency_key)
    expect(found?.external_ids).toMatchObject([{ kind: 'ticket', value: 'TICKET-1' }])
    expect(found?.operation.checkpoint).toMatchObject({
      source: 'langgraph',
      thread_id: 'alert-4711',
      node: 'tools',
    })
  })

  test('cannot be made of what is no tool', () => {
    expect(() => guardTool(ledger, { name: 'open_ticket' })).toThrow('open_ticket is no LangChain tool')
  })
})

describe('retryOn', () => {
  test.each<[string, unknown, boolean]>([
    [
      'a refused connection',
      Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      true,
    ],
    ['a busy ledger', new LedgerError('busy', 'locked'), true],
    ['a reset connection', Object.assign(new Error('x'), { code: 'ECONNRESET' }), false],
    ['an aborted call', new DOMException('x', 'AbortError'), false],
    ['a 500', Object.assign(new Error('x'), { status: 500 }), false],
    ['an error of no kind', new Error('please try again'), false],
    ['a refusal for good', notExecuted('the title is empty'), false],
    ['another refusal of the ledger', new LedgerError('different_input', 'x'), false],
  ])('%s: %s is %s', (_, error, expected) => {
    expect(retryOn(error)).toBe(expected)
  })

  test('keeps LangGraph from running a node again whose write is in doubt', async () => {
    let runs = 0
    const node = async () => {
      runs += 1
      await fetch(`${service.url}/tickets`, { method: 'POST', body: '{}' })
      return { messages: [] }
    }
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('node', node, { retryPolicy: { retryOn, initialInterval: 1, maxAttempts: 3 } })
      .addEdge(START, 'node')
      .compile({ checkpointer: new MemorySaver() })
    await expect(graph.invoke({ messages: [] }, THREAD)).rejects.toThrow()
    expect([runs, service.effects().length]).toEqual([1, 1])
  })
})

function ticketTool() {
  return tool(
    async ({ title }, config) => {
      const { idempotencyKey, signal, externalId } = config.configurable?.agentLedger ?? {}
      const response = await fetch(`${service.url}/tickets`, {
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ title }),
        signal,
      })
      if (response.status === 422) throw notExecuted('the service answered 422')
      const { id } = Object(await response.json())
      await externalId('ticket', id)
      return { id }
    },
    { name: 'open_ticket', description: 'opens a ticket', schema: z.object({ title: z.string() }) },
  )
}

function openTicket(over: Parameters<typeof guardTool>[2] = {}) {
  return guardTool(ledger, ticketTool(), {
    effect: 'compensable',
    repeat: { kind: 'none' },
    interrupt,
    ...over,
  })
}

function call(title: string, id = 'call-1') {
  return { name: 'open_ticket', args: { title }, id, type: 'tool_call' } as const
}

/** A model that calls its tools once, and says "done" when they answered. */
function graphOf(
  tools: StructuredTool[],
  calls: ReturnType<typeof call>[],
  checkpointer: BaseCheckpointSaver = new MemorySaver(),
) {
  const model = ({ messages }: { messages: BaseMessage[] }) => ({
    messages: [
      messages.some(message => message instanceof ToolMessage)
        ? new AIMessage('done')
        : new AIMessage({ content: '', tool_calls: calls }),
    ],
  })
  return new StateGraph(MessagesAnnotation)
    .addNode('model', model)
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (messages.at(-1)?.text === 'done' ? END : 'tools'))
    .addEdge('tools', 'model')
    .compile({ checkpointer })
}

function textsOf(messages: readonly BaseMessage[]): string[] {
  return messages.map(({ text }) => text).filter(text => text !== '')
}

function recordIn(state: object): { operation_id: string } {
  return Reflect.get(state, '__interrupt__')[0].value
}

async function settle(operation_id: string): Promise<void> {
  await ledger.resolve(operation_id, {
    as: 'confirmed',
    evidence: ['found at the service'],
    reason: 'it is there',
    result: { id: 'TICKET-1' },
  })
}
