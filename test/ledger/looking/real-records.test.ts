import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { describe, expect, it } from 'vitest'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { STALL_RULES, TASK_STALL_RULES } from '../../../src/core/stall/stalls.js'
import { runCli } from '../../cli/fake-io.js'
import { aDirectory } from '../../store/support/places.js'
import { bundled } from '../../support/bundled.js'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const PROGRAM = bundled(join(import.meta.dirname, 'killed-run-program.ts'))

/** By which rules `list --stalled` names the tasks of what was imported. */
async function rulesIn(source: string, path: string) {
  const rules = await allRulesIn(source, path)
  return rules.flatMap(rule => (rule.startsWith('task ') ? [rule.slice('task '.length)] : []))
}

async function allRulesIn(source: string, ...paths: readonly string[]) {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  for (const path of paths) expect((await runCli(['import', source, path], { cwd })).code).toBe(0)
  return listed(cwd)
}

/** `operation <rule>`, `task <rule>` */
async function listed(cwd: string, ...more: readonly string[]): Promise<readonly string[]> {
  const { out } = await runCli(['list', '--stalled', '--json', ...more], { cwd })
  const { operations, stalled_tasks = [] } = listDocument.parse(JSON.parse(out))
  const named = (what: string, rows: readonly { stalled_by: readonly { rule: string }[] }[]) =>
    rows.flatMap(({ stalled_by }) => stalled_by.map(({ rule }) => `${what} ${rule}`))
  return [...named('operation', operations), ...named('task', stalled_tasks)]
}

const MINUTE = 60_000

/** What a run of LangGraph left that was killed in the middle of a call, looked at so long afterwards. */
async function killed(afterMs: number, config?: string) {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  const told = config === undefined ? [] : [join(cwd, 'agent-ledger.yaml')]
  for (const file of told) writeFileSync(file, config ?? '')
  const path = join(cwd, '.agent-ledger/ledger.db')
  const { signal } = spawnSync(process.execPath, [...PROGRAM.argv, path, ...told], {
    env: { ...process.env, ...PROGRAM.env },
  })
  expect(signal).toBe('SIGKILL')
  return listed(cwd, '--as-of', new Date(Date.now() + afterMs).toISOString())
}

const inFixture = (source: string, ...names: readonly string[]) =>
  allRulesIn(source, ...names.map(name => join(FIXTURES, source, name)))

const REAL: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'operation heartbeat_lost': () => killed(4 * MINUTE),
  'operation attempt_overdue': () => inFixture('effect-ledger', 'killed-wal/effects.db'),
  'operation deadline_passed': () => killed(2 * MINUTE),
  'operation retry_overdue': () => killed(7 * MINUTE),
  'operation never_sent': () => killed(20 * MINUTE),
  'operation evidence_expires': () => killed(MINUTE, 'tools: { files.upload: { keeps: 1m } }'),
  'operation no_progress': () => killed(2 * MINUTE, 'stall: { no_progress: 1m }'),
  'operation overlapping_attempts': () => killed(4 * MINUTE),
  'operation duplicate_writes': () => inFixture('openhands', 'sdk-stuck'),
  'task heartbeat_lost': () => killed(4 * MINUTE),
  'task loop_same_action_same_result': () => stuck(),
  'task loop_same_action_error': async () => {
    const path = await run([POLL], (_, n) => {
      throw new Error(`no route, try ${n}`)
    })
    return allRulesIn('langgraph', path)
  },
  'task loop_alternating': async () =>
    allRulesIn('langgraph', await run([EDIT, TEST], name => (name === 'edit' ? 'saved' : '1 failed'))),
  'task loop_monologue': async () => allRulesIn('langgraph', await run(['Let me think'], () => '', 8)),
  'task loop_context_window': () => inFixture('openhands', 'sdk-context-window'),
  'task no_progress': () => killed(2 * MINUTE, 'stall: { no_progress: 1m }'),
  'task deadline_passed': () => killed(2 * MINUTE),
  'task budget_spent': () => killed(2 * MINUTE),
}

describe('what a real program left', () => {
  it('is there for every rule', () => {
    const operations = STALL_RULES.map(({ id }) => `operation ${id}`)
    const tasks = TASK_STALL_RULES.map(({ id }) => `task ${id}`)
    expect(Object.keys(REAL).sort()).toEqual([...operations, ...tasks].sort())
  })

  it.each(Object.entries(REAL))('lets %s speak', async (rule, rules) => {
    expect(await rules()).toContain(rule)
  })
})

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

  it('in which each answer brings something new: silent', async () => {
    const path = await run([POLL], (_, n) => `${n * 7} of 200 done`)
    expect(await rulesIn('langgraph', path)).toEqual([])
  })
})

/** A conversation that OpenHands' own detector stopped, as it stood before that. */
async function stuck() {
  const path = join(aDirectory(), 'stuck')
  cpSync(join(FIXTURES, 'openhands/sdk-stuck'), path, { recursive: true })
  const state = join(path, 'f8f217df6cfe4817bd3e83a725484ccb', 'base_state.json')
  const text = readFileSync(state, 'utf8')
  expect(text).toContain('"stuck"')
  writeFileSync(state, text.replaceAll('"stuck"', '"running"'))
  return allRulesIn('openhands', path)
}
