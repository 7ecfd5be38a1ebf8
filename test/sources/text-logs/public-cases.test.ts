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

it('an answer without its action costs one warning that names call and file, and no operation (OpenHands/software-agent-sdk#4487)', async () => {
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

it('a log of streamed pieces alone is refused, and says why', async () => {
  const path = join(folder, 'stream.jsonl')
  writeFileSync(path, '{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}]}\n')
  await expect(recordsOf(transcript, path)).rejects.toMatchObject({
    code: 'ledger_unreadable',
    message: expect.stringContaining('holds only pieces of streamed answers'),
  })
})
