import { join } from 'node:path'
import { generateText, stepCountIs, type ToolSet, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { guardAiTool } from '../../../src/execute/wrappers/ai-sdk.js'
import type { Recovery } from '../../../src/execute/wrappers/recovery.js'
import { openLedger } from '../../../src/ledger.js'
import { startService } from '../../../src/testing/index.js'
import { aDirectory } from '../../store/support/places.js'

const DROP = { action: 'create', calls: [1], fault: { kind: 'drop_response' } } as const
const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

describe('A tool of the AI SDK', () => {
  test('that loses its answer tells the model so, and a model that calls it again repeats nothing', async () => {
    const { service, openTicket, unfinished } = await world({ faults: [DROP] })
    const told = await conversation({ open_ticket: openTicket }, ['call-1', 'call-2'])
    expect(told).toHaveLength(2)
    for (const output of told)
      expect(output).toMatchObject({
        status: 'unknown',
        instruction: expect.stringMatching(/may have taken effect\. Do not call it again/),
      })
    expect(service.effects()).toHaveLength(1)
    expect(service.calls()).toHaveLength(1)
    expect(unfinished.map(({ status }) => status)).toEqual(['unknown', 'unknown'])
  })

  test('has its recorded result after a person settled it, in a run of its own', async () => {
    const { service, openTicket, ledger, unfinished } = await world({ faults: [DROP] })
    await conversation({ open_ticket: openTicket }, ['call-1'])
    await ledger.resolve(unfinished[0]?.operation_id ?? '', {
      as: 'confirmed',
      evidence: ['found at the service'],
      reason: 'it is there',
      result: { id: 'TICKET-1' },
    })
    expect(await conversation({ open_ticket: openTicket }, ['call-9'])).toEqual([{ id: 'TICKET-1' }])
    expect(service.calls()).toHaveLength(1)
  })

  test('is handed the key of its operation, and that one goes to the service', async () => {
    const { service, openTicket } = await world({})
    expect(await conversation({ open_ticket: openTicket }, ['call-1'])).toEqual([{ id: 'TICKET-1' }])
    expect(service.calls()[0]?.key).toMatch(/^al-[0-9a-z]{25}$/)
  })

  test('that streams its answer gives the last of it', async () => {
    const { ledger } = await world({})
    const counted = tool({
      inputSchema: z.object({ title: z.string() }),
      async *execute() {
        yield { progress: 1 }
        yield { id: 'T-1' }
      },
    })
    const guarded = guardAiTool(ledger, 'count', counted, { task: 'task-1' })
    expect(await conversation({ open_ticket: guarded }, ['call-1'])).toEqual([{ id: 'T-1' }])
  })

  test('without an execute cannot be guarded', async () => {
    const { ledger } = await world({})
    const declared = tool({ inputSchema: z.object({ title: z.string() }) })
    expect(() => guardAiTool(ledger, 'declared', declared, { task: 'task-1' })).toThrow('has no execute')
  })
})

async function world(options: Parameters<typeof startService>[0]) {
  const service = await startService(options)
  const ledger = await openLedger(join(aDirectory(), 'ledger.db'))
  onTestFinished(async () => {
    await ledger.close()
    await service.close()
  })
  const unfinished: Recovery[] = []
  const inner = tool({
    description: 'opens a ticket',
    inputSchema: z.object({ title: z.string() }),
    execute: async ({ title }, options) => {
      const { idempotencyKey } = Object(Reflect.get(options, 'agentLedger'))
      const response = await fetch(`${service.url}/tickets`, {
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ title }),
        ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
      })
      return { id: String(Object(await response.json()).id) }
    },
  })
  const openTicket = guardAiTool(ledger, 'tickets.open', inner, {
    task: 'alert-4711',
    effect: 'compensable',
    onUnfinished: recovery => unfinished.push(recovery),
  })
  return { service, ledger, openTicket, unfinished }
}

/** What the tool answered to a model that calls it once a step, each time under another id, and then ends. */
async function conversation(tools: ToolSet, ids: readonly string[]): Promise<unknown[]> {
  const left = [...ids]
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const id = left.shift()
      const rest = { usage: USAGE, warnings: [] }
      if (id === undefined)
        return {
          ...rest,
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: 'stop' },
        }
      const call = {
        type: 'tool-call',
        toolCallId: id,
        toolName: 'open_ticket',
        input: '{"title":"Disk full"}',
      } as const
      return { ...rest, content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }
    },
  })
  const { steps } = await generateText({ model, tools, prompt: 'look after it', stopWhen: stepCountIs(5) })
  return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
}
