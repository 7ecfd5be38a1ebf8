import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { agentEffects } from '../../../src/sources/ledgers/agent-effects.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { aDirectory } from '../../store/support/places.js'

// agent-effects counts its attempts and keeps the times of the newest alone.

const STATES = join(import.meta.dirname, '../../../fixtures/agent-effects/states/effects.db')
const UNKNOWN = '0199c0de-0000-7000-8000-000000000007'

async function timesOf(set: string) {
  const path = join(aDirectory(), 'effects.db')
  copyFileSync(STATES, path)
  const db = new Database(path)
  db.exec(`update effects set ${set} where id = '${UNKNOWN}'`)
  db.close()
  const file = openSourceFile(path)
  try {
    for await (const record of agentEffects.records?.(file, {}) ?? [])
      if (record.record === 'operation' && record.operation_id.endsWith(UNKNOWN))
        return record.attempts.map(({ sent_at, ended_at }) => [sent_at, ended_at])
  } finally {
    file.close()
  }
  return undefined
}

it('gives the time at which the newest attempt started to that one alone', async () => {
  const times = await timesOf('attempt_count = 3, attempt_started_at = 5000, attempt_ended_at = 9000')
  expect(times).toEqual([
    [null, null],
    [null, null],
    [5_000, 9_000],
  ])
})

it('lets no attempt end before it started, whatever the clocks of the writer said', async () => {
  const times = await timesOf('attempt_count = 2, attempt_started_at = 5000, attempt_ended_at = 4000')
  expect(times?.at(-1)).toEqual([5_000, 5_000])
})
