import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportedRecord } from '../../../src/core/imported.js'
import type { JsonObject } from '../../../src/core/json.js'
import { openhands } from '../../../src/sources/openhands/index.js'
import type { Source } from '../../../src/sources/source.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { transcript } from '../../../src/sources/transcript/index.js'

// Reports of people who run agents; the fixtures hold the others.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'public-cases-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function recordsOf(source: Source, path: string): Promise<ImportedRecord[]> {
  const records: ImportedRecord[] = []
  for await (const record of source.records?.(openSourceFile(path), {}) ?? []) records.push(record)
  return records
}

function eventId(n: number): string {
  return `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
}

function writeEvent(n: number, event: JsonObject): void {
  const whole = { id: eventId(n), timestamp: '2026-03-10T11:00:00.000001', source: 'agent', ...event }
  const name = `event-${String(n).padStart(5, '0')}-${eventId(n)}.json`
  writeFileSync(join(folder, 'events', name), JSON.stringify(whole))
}

it('F2: an answer without its action costs one warning that names call and file, and no operation (OpenHands/software-agent-sdk#4487)', async () => {
  mkdirSync(join(folder, 'events'))
  for (let n = 0; n < 80; n += 2) {
    const call = { tool_name: 'terminal', tool_call_id: `call_${n}` }
    writeEvent(n, { kind: 'ActionEvent', action: { kind: 'TerminalAction', command: `step ${n}` }, ...call })
    const observation = { kind: 'TerminalObservation', content: [], is_error: false, exit_code: 0 }
    writeEvent(n + 1, { kind: 'ObservationEvent', observation, action_id: eventId(n), ...call })
  }
  const error = 'A restart occurred while this tool was in progress.'
  writeEvent(80, { kind: 'AgentErrorEvent', error, tool_name: 'terminal', tool_call_id: 'call_Y' })
  const records = await recordsOf(openhands, folder)
  expect(records.filter(({ record }) => record === 'operation')).toHaveLength(40)
  const orphans = records.filter(record => record.record === 'warning' && record.code === 'orphan_answer')
  expect(orphans).toEqual([
    {
      record: 'warning',
      code: 'orphan_answer',
      message: 'an answer to call call_Y, which stands nowhere',
      where: `event-00080-${eventId(80)}.json`,
    },
  ])
})

async function outcomesOf(source: Source, values: readonly object[]) {
  const path = join(folder, 'log.jsonl')
  writeFileSync(path, values.map(value => JSON.stringify(value)).join('\n'))
  return (await recordsOf(source, path)).filter(record => record.record === 'operation')
}
const asked = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})

it('F3: a sentence that stands where a result should is no result (QwenLM/qwen-code#9573)', async () => {
  const content = 'Tool result missing: the run likely ended before the tool completed.'
  const [operation] = await outcomesOf(transcript, [
    asked('t1', 'deploy', { to: 'prod' }),
    { role: 'tool', tool_call_id: 't1', content, is_error: true },
  ])
  expect(operation).toMatchObject({
    status: 'unknown',
    why: expect.stringMatching(/placeholder|stands for/i),
  })
})

it('F5: a call under an id that was answered before is a call of its own (fastagent-sh/fastagent#26)', async () => {
  const operations = await outcomesOf(transcript, [
    asked('call-1', 'shell', { command: 'ls' }),
    { role: 'tool', tool_call_id: 'call-1', content: 'build' },
    asked('call-1', 'shell', { command: 'rm -rf build' }),
  ])
  expect(operations.map(({ status }) => status)).toEqual(['confirmed', 'unknown'])
})

it('F6: a call that was saved before it ran and has no result is unknown, with what it was for (NousResearch/hermes-agent#102238)', async () => {
  const [operation] = await outcomesOf(transcript, [asked('c1', 'write_file', { path: 'loop.md' })])
  expect(operation).toMatchObject({ status: 'unknown', target: 'loop.md' })
})

it('F12: an answer that stands before its question is joined to it, and no time runs backwards (OpenHands/software-agent-sdk#3045)', async () => {
  const path = join(folder, 'trajectory.json')
  const action = { id: 1, timestamp: '2026-03-10T11:00:00', source: 'agent', action: 'run' }
  const answer = { id: 2, timestamp: '2026-03-10T11:00:05', source: 'agent', observation: 'run', cause: 1 }
  writeFileSync(
    path,
    JSON.stringify([
      { ...answer, content: 'ok', extras: { command: 'ls', metadata: { exit_code: 0 } }, message: '' },
      { ...action, args: { command: 'ls' }, message: 'Running' },
    ]),
  )
  const records = await recordsOf(openhands, path)
  const [operation] = records.filter(record => record.record === 'operation')
  const sent = Date.parse('2026-03-10T11:00:00Z')
  expect(operation).toMatchObject({
    status: 'confirmed',
    attempts: [{ sent_at: sent, ended_at: sent + 5_000 }],
  })
})

it('a log of streamed pieces alone is refused, and says why', async () => {
  const path = join(folder, 'stream.jsonl')
  writeFileSync(path, '{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}]}\n')
  await expect(recordsOf(transcript, path)).rejects.toMatchObject({
    code: 'ledger_unreadable',
    message: expect.stringContaining('holds only pieces of streamed answers'),
  })
})
