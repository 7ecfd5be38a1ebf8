import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportedOperation, ImportedRecord, ImportedTask } from '../../../src/core/imported.js'
import { langgraph } from '../../../src/sources/langgraph/index.js'
import { CALL_RULES } from '../../../src/sources/langgraph/records/rules.js'
import { STATUS_RULES, timeInId } from '../../../src/sources/langgraph/records/task.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'
import { addressOf, fillPostgres } from './postgres-rows.js'
import { casesWith, expectedOf, FIXTURES } from './real-case.js'

async function recordsAt(path: string, threadId?: string): Promise<ImportedRecord[]> {
  const file = openSourceFile(path)
  const found: ImportedRecord[] = []
  try {
    const records = langgraph.records?.(file, threadId === undefined ? {} : { threadId })
    for await (const record of records ?? []) found.push(record)
  } finally {
    file.close()
  }
  return found
}

const recordsOf = (name: string) => recordsAt(join(FIXTURES, name, 'checkpoints.sqlite'))

function operationsIn(records: readonly ImportedRecord[]): ImportedOperation[] {
  return records.filter(record => record.record === 'operation')
}

function callId({ operation_id }: ImportedOperation): string {
  return operation_id.slice(operation_id.lastIndexOf(':') + 1)
}

const files = casesWith('checkpoints.sqlite')
const withTools = files.filter(name => expectedOf(name).notes.operations !== undefined)

describe('the records of a thread', () => {
  it.each(withTools)('%s: say of each tool call what the store proves and no more', async name => {
    const operations = operationsIn(await recordsOf(name))
    const got = Object.fromEntries(operations.map(operation => [callId(operation), operation.status]))
    expect(got).toEqual(expectedOf(name).notes.operations)
    for (const { rule, why, effect, input, checkpoint, attempts } of operations) {
      const entry = CALL_RULES.find(({ id }) => id === rule)
      expect(why).toContain(entry?.reason)
      expect(effect).toBeNull()
      expect(input).toMatchObject({})
      expect(checkpoint).toMatchObject({ source: 'langgraph', thread_id: 't1' })
      expect(attempts.map(({ n }) => n)).toEqual(attempts.map((_, index) => index + 1))
    }
  })

  it('are the same on every reading, begin with the task, and name no operation twice', async () => {
    for (const name of files) {
      const records = await recordsOf(name)
      expect(await recordsOf(name)).toEqual(records)
      const { get_state, notes } = expectedOf(name)
      if (get_state.checkpoint_id === null && notes.get_state === undefined) expect(records).toEqual([])
      else expect(records[0]?.record).toBe('task')
      const ids = operationsIn(records).map(({ operation_id }) => operation_id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('give the task the status that the checkpoint shows, with its reason', async () => {
    const statuses = new Map<string, string>()
    for (const name of files)
      for (const record of await recordsOf(name))
        if (record.record === 'task') statuses.set(name, `${record.status}: ${record.status_reason}`)
    expect(statuses.get('js-done')).toMatch(/^completed: nothing is left to run at checkpoint 1f/)
    expect(statuses.get('js-kill-mid-node')).toMatch(/^running: n2 is left to run: running, killed, or at a/)
    expect(statuses.get('py-interrupt')).toMatch(/^waiting_input: waiting for an answer to ask \(/)
    expect(statuses.get('py-parallel-error')).toBe("failed: B: ValueError('B failed')")
    expect(statuses.get('js-router-throws')).toMatch(/^failed: a is saved, then failed with Error: no route/)
    expect(statuses.get('py-encrypted')).toMatch(/^running: checkpoint 1f.* cannot be read: it is encrypted/)
    // The two ways in which a store looks finished and is not: said beside the status, since nothing in it tells.
    expect(statuses.get('js-second-turn-exit-kill')).toMatch(/^completed:/)
    expect(STATUS_RULES.find(({ id }) => id === 'langgraph.thread_done')?.reason).toContain('"exit"')
  })

  it('place a call where a resume would run it, so that the join finds it', async () => {
    const [, own] = operationsIn(await recordsOf('js-agent-tools-kill'))
    expect(own?.checkpoint).toMatchObject({ node: 'tools' })
    expect(own?.checkpoint?.namespace).toBe(`tools:${own?.checkpoint?.task_id}`)
    expect(own?.rule).toBe('langgraph.tool_unfinished')
    const shared = operationsIn(await recordsOf('py-tool-node-kill'))
    expect(shared.map(({ checkpoint }) => checkpoint?.node)).toEqual(['tools', 'tools'])
  })

  it('never take an error, a person’s answer or a superstep that is not over for a proof', async () => {
    const ruleOf = async (name: string, id: string) =>
      operationsIn(await recordsOf(name)).find(operation => callId(operation) === id)?.rule
    expect(await ruleOf('js-tools-done', 'call_2')).toBe('langgraph.tool_answered_error')
    expect(await ruleOf('py-tools-done', 'call_2')).toBe('langgraph.tool_answered_error')
    expect(await ruleOf('py-tool-answer-by-hand', 'call_1')).toBe('langgraph.tool_answered_by_hand')
    expect(await ruleOf('py-tool-answer-by-hand', 'call_2')).toBe('langgraph.tool_unanswered')
    expect(await ruleOf('py-model-beside-kill', 'call_1')).toBe('langgraph.tool_superstep_open')
    expect(await ruleOf('js-tool-node-questions', 'call_1')).toBe('langgraph.tool_asked_person')
    expect(CALL_RULES.map(({ status }) => status)).not.toContain('not_executed')
    expect(CALL_RULES.map(({ status }) => status)).not.toContain('prepared')
  })

  it('hold the steps of the agent for the rules that look for loops, and the open question as a note', async () => {
    const records = await recordsOf('js-tools-done')
    const actions = records.filter(record => record.record === 'action')
    expect(actions.map(({ kind, tool, outcome }) => [kind, tool, outcome])).toEqual([
      ['tool', 'charge', 'ok'],
      ['tool', 'mail', 'error'],
      ['message', null, 'ok'],
    ])
    const notes = (await recordsOf('js-interrupt')).filter(record => record.record === 'note')
    expect(notes.map(({ kind, body }) => [kind, body])).toEqual([
      ['open', expect.objectContaining({ question: 'send?', node: 'ask' })],
    ])
  })

  it('carry every warning of the thread', async () => {
    const codes = (await recordsOf('js-router-throws')).flatMap(record =>
      record.record === 'warning' ? [record.code] : [],
    )
    expect(codes).toContain('router_failed')
  })

  it('read a time from the id of a checkpoint, and none where the id has none', async () => {
    const task = (await recordsOf('js-done')).find(
      (record): record is ImportedTask => record.record === 'task',
    )
    const at = task?.activity_at ?? 0
    expect(at).toBeGreaterThan(Date.parse('2026-01-01'))
    expect(Math.abs((timeInId(expectedOf('js-done').get_state.checkpoint_id ?? '') ?? 0) - at)).toBeLessThan(
      50,
    )
    expect(timeInId('no-id')).toBeNull()
    expect(timeInId('1f1ebf0a-0001-4600-8001-000000000000')).toBeNull()
  })
})

describe('the records of a thread on a server', () => {
  const cases = casesWith('rows.json')
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: 'off' } })
    url = await server.createDatabase()
    for (const name of cases)
      await fillPostgres(url, name, JSON.parse(readFileSync(join(FIXTURES, name, 'rows.json'), 'utf8')))
  })
  afterAll(() => server.remove())

  it('say what those of a file say of the same run', async () => {
    const shown = (records: readonly ImportedRecord[]) =>
      records.flatMap(record => {
        if (record.record === 'task') return [`task ${record.status}`]
        return record.record === 'operation' ? [`${callId(record)} ${record.status} ${record.rule}`] : []
      })
    let compared = 0
    for (const name of cases) {
      const twin = name.replace(/-pg(?:-shallow)?-/, '-')
      if (!files.includes(twin) || name === 'py-pg-encrypted') continue
      compared++
      expect([name, ...shown(await recordsAt(addressOf(url, name), 't1'))]).toEqual([
        name,
        ...shown(await recordsOf(twin)),
      ])
    }
    expect(compared).toBeGreaterThan(20)
  })
})
