import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { ImportedRecord } from '../../../src/core/imported.js'
import { effectLedger } from '../../../src/sources/ledgers/effect-ledger.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { aDirectory } from '../../store/support/places.js'

// A damaged disk leaves indexes that do not fit their tables. What they leave out must not be taken for done.

const TABLE = `create table operations (
  scope text not null, operation_id text not null, effect text not null, request text not null,
  provider_key text not null, state text not null, attempt integer not null, version integer not null,
  result text, error text, created_at text`

function aLedger(ids: readonly string[], key = ', primary key (scope, operation_id))') {
  const path = join(aDirectory(), 'effects.db')
  const db = new Database(path)
  db.exec(TABLE + key)
  const insert = db.prepare(
    "insert into operations values ('s', ?, 'mail', '{}', ?, 'indeterminate', 1, 1, null, null, null)",
  )
  for (const [n, id] of ids.entries()) insert.run(id, `k-${n}`)
  return { path, db }
}

/** The index of the ids reads the pages of another one. */
function swapIndex(db: Database.Database, other: string): void {
  db.exec(`create index other on operations ${other}`)
  db.unsafeMode(true)
  db.pragma('writable_schema = on')
  db.exec(`update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'other')
    where name = 'sqlite_autoindex_operations_1'`)
  db.exec("delete from sqlite_schema where name = 'other'")
  db.close()
}

async function read(path: string): Promise<ImportedRecord[]> {
  const file = openSourceFile(path)
  try {
    const records: ImportedRecord[] = []
    for await (const record of effectLedger.records?.(file, {}) ?? []) records.push(record)
    return records
  } finally {
    file.close()
  }
}

it.each([
  ['leaves a row out', "(scope, operation_id) where operation_id <> 'b'", 'does not name the rows'],
  ['is out of order', '(scope, operation_id desc)', 'is not in order'],
])('a ledger whose index %s is refused, since what it hides may be in doubt', async (_, other, words) => {
  const { path, db } = aLedger(['a', 'b', 'c'])
  swapIndex(db, other)
  await expect(read(path)).rejects.toMatchObject({
    code: 'ledger_unreadable',
    path,
    message: expect.stringContaining(words),
  })
})

it('of two rows with one id the first is taken, and the other said', async () => {
  const { path, db } = aLedger(['a', 'b', 'b'], ')')
  db.close()
  const records = await read(path)
  expect(records.flatMap(one => (one.record === 'operation' ? [one.operation_id] : []))).toEqual([
    'effect-ledger:s/a',
    'effect-ledger:s/b',
  ])
  expect(records).toContainEqual(expect.objectContaining({ code: 'repeated_id', where: 's/b' }))
})
