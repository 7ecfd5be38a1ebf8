import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { describe, expect, it } from 'vitest'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { runCli } from '../../cli/fake-io.js'
import { aDirectory } from '../../store/support/places.js'

/** By which rules `list --stalled` names the task of what was imported. */
async function rulesIn(source: string, path: string) {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  expect((await runCli(['import', source, path], { cwd })).code).toBe(0)
  const { out } = await runCli(['list', '--stalled', '--json'], { cwd })
  const { stalled_tasks = [] } = listDocument.parse(JSON.parse(out))
  return stalled_tasks.flatMap(({ stalled_by }) => stalled_by.map(({ rule }) => rule))
}

interface Call {
  readonly name: string
  readonly args: object
}

/**
 * A graph of LangGraph that runs until its limit of steps: a model that asks for the next call of this list again and
 * again, or says something, and a ToolNode. What the tools answer is `answer`'s affair.
 */
async function run(
  script: readonly (Call | string)[],
  answer: (name: string, n: number) => string,
  most = 24,
): Promise<string> {
  const path = join(aDirectory(), 'checkpoints.sqlite')
  let [asked, answered] = [0, 0]
  const tools = [...new Set(script.flatMap(step => (typeof step === 'string' ? [] : [step.name])))].map(
    name =>
      tool(() => answer(name, answered++), {
        name,
        description: 'x',
        schema: { type: 'object', properties: {}, additionalProperties: true },
      }),
  )
  const model = () => {
    const step = script[asked++ % script.length] ?? ''
    const id = `call_${asked}`
    return typeof step === 'string'
      ? new AIMessage(`${step} ${asked}`)
      : new AIMessage({ content: '', tool_calls: [{ ...step, id, type: 'tool_call' }] })
  }
  const callsOf = (message: BaseMessage | undefined) =>
    message instanceof AIMessage ? (message.tool_calls ?? []) : []
  const saver = SqliteSaver.fromConnString(path)
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', () => ({ messages: [model()] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges(
      'agent',
      ({ messages }) => (callsOf(messages.at(-1)).length > 0 ? 'tools' : 'agent'),
      ['tools', 'agent'],
    )
    .addEdge('tools', 'agent')
    .compile({ checkpointer: saver })
  const config = { configurable: { thread_id: 't-1' }, recursionLimit: most }
  await expect(graph.invoke({ messages: [new HumanMessage('go on')] }, config)).rejects.toThrow(/ecursion/)
  saver.db.close()
  return path
}

const POLL: Call = { name: 'job_status', args: { job: 4 } }
const EDIT: Call = { name: 'edit', args: { file: 'a.ts' } }
const TEST: Call = { name: 'run_tests', args: {} }

describe('a record of LangGraph', () => {
  it('in which one call brings the same again and again', async () => {
    const path = await run([POLL], (_, n) => `queued, asked at 12:00:${10 + n}`)
    expect(await rulesIn('langgraph', path)).toEqual(['loop_same_action_same_result'])
  })

  it('in which one call fails again and again', async () => {
    const path = await run([POLL], (_, n) => {
      throw new Error(`no route, try ${n}`)
    })
    expect(await rulesIn('langgraph', path)).toEqual(['loop_same_action_error'])
  })

  it('in which two calls come round and round', async () => {
    const path = await run([EDIT, TEST], name => (name === 'edit' ? 'saved' : '1 failed'))
    expect(await rulesIn('langgraph', path)).toEqual(['loop_alternating'])
  })

  it('in which it talks and does nothing', async () => {
    expect(await rulesIn('langgraph', await run(['Let me think'], () => '', 8))).toEqual(['loop_monologue'])
  })

  it('in which each answer brings something new: silent', async () => {
    const path = await run([POLL], (_, n) => `${n * 7} of 200 done`)
    expect(await rulesIn('langgraph', path)).toEqual([])
  })
})

describe('a record of OpenHands', () => {
  it('of a loop that its own detector stopped, as it stood before that', async () => {
    const path = join(aDirectory(), 'stuck')
    cpSync(join(import.meta.dirname, '../../../fixtures/openhands/sdk-stuck'), path, { recursive: true })
    const state = join(path, 'f8f217df6cfe4817bd3e83a725484ccb', 'base_state.json')
    const text = readFileSync(state, 'utf8')
    expect(text).toContain('"stuck"')
    writeFileSync(state, text.replaceAll('"stuck"', '"running"'))
    expect(await rulesIn('openhands', path)).toContain('loop_same_action_same_result')
  })
})
