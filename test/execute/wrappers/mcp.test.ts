import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type GuardCallToolOptions, guardCallTool, RECOVERY_META } from '../../../src/execute/wrappers/mcp.js'
import { openLedger } from '../../../src/ledger.js'
import { openStoreForReading } from '../../../src/store/open.js'
import { aDirectory } from '../../store/support/places.js'

const DONE: CallToolResult = {
  content: [{ type: 'text', text: 'TICKET-1' }],
  structuredContent: { id: 'TICKET-1' },
}
const CREATE = { name: 'create', arguments: { title: 'Disk full' } }

type Answer = (input: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>

describe('A tool call over MCP', () => {
  test('is carried out once, and its answer is replayed', async () => {
    const { callTool, calls, record } = await guarded(() => DONE)
    expect(await callTool(CREATE)).toMatchObject(DONE)
    expect(await callTool(CREATE)).toMatchObject(DONE)
    expect(calls).toEqual([{ title: 'Disk full' }])
    expect((await record()).operation).toMatchObject({
      tool: 'tickets.create',
      task_id: 'task-1',
      status: 'confirmed',
    })
  })

  test('is another operation with other arguments, and with another step', async () => {
    const { callTool, calls } = await guarded(() => DONE)
    await callTool(CREATE)
    await callTool({ ...CREATE, arguments: { title: 'Swap full' } })
    await callTool(CREATE, { step: 'second look' })
    expect(calls).toHaveLength(3)
  })

  test('gives the server the key of the operation, and keeps it out of the input', async () => {
    const { callTool, calls, record } = await guarded(() => DONE, { keyArgument: 'idempotency_key' })
    await callTool(CREATE)
    const { operation } = await record()
    expect(calls).toEqual([{ title: 'Disk full', idempotency_key: operation.idempotency_key }])
    expect(operation.input).toEqual({ title: 'Disk full' })
  })
})

describe('An answer that proves nothing leaves it in doubt, and the model is told not to call again', () => {
  const cases: [string, Answer][] = [
    [
      'an answer with isError',
      () => ({ isError: true, content: [{ type: 'text', text: 'please try again' }] }),
    ],
    ['an error of the server', () => Promise.reject(new McpError(ErrorCode.InternalError, 'boom'))],
    [
      'invalid params, which servers say midway too',
      () => Promise.reject(new McpError(ErrorCode.InvalidParams, 'no')),
    ],
    [
      'an answer that fails the output schema, after the tool had run',
      () => ({ content: [], structuredContent: { id: 7 } }),
    ],
  ]
  test.each(cases)('%s', async (_, answer) => {
    const { callTool, calls, record } = await guarded(answer)
    const told = await callTool(CREATE)
    expect(told.isError).toBe(true)
    expect(told.content).toMatchObject([
      { type: 'text', text: expect.stringMatching(/^UNKNOWN: .*Do not call it again/) },
    ])
    expect(told._meta?.[RECOVERY_META]).toMatchObject({
      status: 'unknown',
      next_action: { safe_to_repeat: false },
    })
    await callTool(CREATE)
    expect(calls).toHaveLength(1)
    expect((await record()).operation.status).toBe('unknown')
  })

  test('a time limit', async () => {
    const { callTool, calls, record } = await guarded(() => new Promise(() => {}), { timeoutMs: 50 })
    expect((await callTool(CREATE)).isError).toBe(true)
    expect(calls).toHaveLength(1)
    expect((await record()).operation).toMatchObject({ status: 'unknown', last_error: { rule: 'timeout' } })
  })

  test('a connection that is closed while the server works', async () => {
    const { callTool, closeServer, record } = await guarded(async () => {
      await closeServer()
      return DONE
    })
    expect((await callTool(CREATE)).isError).toBe(true)
    expect((await record()).operation.status).toBe('unknown')
  })

  test('the id of a task, which is kept: the server still works on it', async () => {
    const task = { taskId: 'mcp-7', status: 'working', ttl: 300_000, createdAt: '', lastUpdatedAt: '' }
    const { callTool, record } = await guarded(() => ({ content: [], structuredContent: {}, task }))
    await callTool(CREATE)
    const { operation, external_ids } = await record()
    expect(operation.status).toBe('unknown')
    expect(operation.last_error?.message).toContain('works on it as task mcp-7')
    // Another session may not see the task.
    expect(external_ids).toEqual([{ kind: 'mcp_task', value: 'mcp-7', scope: 'session S-1' }])
  })
})

describe('Not executed for certain is', () => {
  test('a method that the server does not know', async () => {
    const { callTool, record } = await guarded(() =>
      Promise.reject(new McpError(ErrorCode.MethodNotFound, 'no tools')),
    )
    const told = await callTool(CREATE)
    expect(told.content).toMatchObject([{ text: expect.stringMatching(/^NOT EXECUTED/) }])
    expect((await record()).operation.status).toBe('not_executed')
  })

  test('what the contract of the server says', async () => {
    const refusal: Answer = () => ({ isError: true, content: [], structuredContent: { refused: true } })
    const isRefusal: GuardCallToolOptions['isRefusal'] = ({ structuredContent }) =>
      Object(structuredContent).refused === true
    const one = await guarded(refusal, { isRefusal })
    await one.callTool(CREATE)
    expect((await one.record()).operation.status).toBe('not_executed')
    const other = await guarded(() => Promise.reject(new McpError(ErrorCode.InvalidParams, 'no such tool')), {
      refusedCodes: [ErrorCode.InvalidParams],
    })
    await other.callTool(CREATE)
    expect((await other.record()).operation.status).toBe('not_executed')
  })
})

/** A real client and a real server of the SDK, joined in memory, with one tool. */
async function guarded(answer: Answer, options: Partial<GuardCallToolOptions> = {}) {
  const calls: Record<string, unknown>[] = []
  const server = new Server({ name: 'tickets', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      {
        name: 'create',
        inputSchema: { type: 'object' as const },
        outputSchema: { type: 'object' as const, properties: { id: { type: 'string' } } },
      },
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls.push(params.arguments ?? {})
    return answer(params.arguments ?? {})
  })
  const client = new Client({ name: 'agent', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  ours.sessionId = 'S-1'
  await Promise.all([server.connect(theirs), client.connect(ours)])
  await client.listTools()
  const path = join(aDirectory(), 'ledger.db')
  const ledger = await openLedger(path)
  onTestFinished(async () => {
    await client.close()
    await ledger.close()
  })
  return {
    calls,
    closeServer: () => server.close(),
    callTool: guardCallTool(ledger, client, { task: 'task-1', server: 'tickets', ...options }),
    record: async () => {
      const store = await openStoreForReading({ url: path })
      const [first] = (await store.taskRecord('task-1'))?.operations ?? []
      const found = await store.operation(
        Object(first).operation?.operation_id ?? Object(first).operation_id ?? '',
      )
      await store.close()
      if (found === null) throw new Error('nothing was recorded')
      return found
    },
  }
}
