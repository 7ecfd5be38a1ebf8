import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isLedgerError } from '../../src/core/errors.js'
import { readCheckpointAlone } from '../../src/ledger/read-checkpoint.js'
import { openRecordsForReading } from '../../src/ledger/records-for-reading.js'
import { SOURCES } from '../../src/sources/index.js'

// What a checkpoint says of a resume where no ledger knows its run, over every input among the fixtures.

const root = join(import.meta.dirname, '../../fixtures')
const asOf = Date.parse('2026-12-01T00:00:00Z')

it.each(SOURCES.flatMap(({ id }) => inputsOf(id)))(
  '%s says alone what it says once its records were imported',
  async name => {
    const path = join(root, name)
    expect(await said(() => alone(path))).toEqual(await said(() => imported(path)))
  },
)

async function alone(path: string) {
  const { document, withoutRecords } = await readCheckpointAlone(path, { asOf })
  expect(withoutRecords).toBeNull()
  return document
}

async function imported(path: string) {
  const { ledger } = await openRecordsForReading(path, { asOf })
  try {
    return (await ledger.checkpoint(path)).document
  } finally {
    await ledger.close()
  }
}

/** Of one that cannot be read the code: the words may tell which look failed. */
async function said(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    if (isLedgerError(error)) return error.code
    throw error
  }
}

/**
 * Of LangGraph those in which a tool was called: only they tell of operations. Rows of a PostgreSQL saver are read from a
 * server, and stand in `rows.json` here.
 */
function inputsOf(id: string): string[] {
  return readdirSync(join(root, id), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && (id !== 'langgraph' || entry.name.includes('tool')))
    .map(({ name }) => join(id, name, inputOf(join(root, id, name))))
    .filter(path => !path.endsWith('rows.json'))
}

function inputOf(folder: string): string {
  const { input } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  const [only] = readdirSync(folder).filter(
    name => !/^(?:expected\.json|origin\.md)$|-(?:wal|journal)$/.test(name),
  )
  return input ?? only
}
