import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteFile } from '../../../src/sources/sqlite-file/open.js'
import {
  CHECKPOINTS,
  copyFixture,
  createScratch,
  fixture,
  makeDatabase,
  type Scratch,
  WRITES,
} from '../saver-file.js'
import { refusalOf } from './refusal.js'

let scratch: Scratch
beforeEach(() => {
  scratch = createScratch()
})
afterEach(() => scratch.remove())

describe('a path that holds no checkpoints is refused with path and advice, and left as it is', () => {
  it('nothing there', async () => {
    expect(await refusalOf(scratch)).toContain('does not exist')
    expect(await refusalOf(scratch, join(scratch.path, 'deeper'))).toContain('does not exist')
  })

  it('a folder', async () => {
    mkdirSync(scratch.path)
    expect(await refusalOf(scratch)).toContain('is a folder')
    expect(() => openSqliteFile(scratch.path)).toThrow('is a folder')
  })

  it('a pipe, which must not be waited for', async () => {
    spawnSync('mkfifo', [scratch.path])
    expect(await refusalOf(scratch)).toContain('is a pipe, socket or device, not a file')
    expect(() => openSqliteFile(scratch.path)).toThrow('is not a plain file')
  })

  it('an empty file', async () => {
    writeFileSync(scratch.path, '')
    expect(await refusalOf(scratch)).toContain('is empty')
    writeFileSync(`${scratch.path}-wal`, 'x')
    expect(await refusalOf(scratch)).toContain('is empty, though a -wal lies beside it')
    expect(() => openSqliteFile(scratch.path)).toThrow('is empty, though a -wal lies beside it')
  })

  it('a file of another kind', async () => {
    writeFileSync(scratch.path, 'SQLite format 4\0 is not a thing')
    expect(await refusalOf(scratch)).toContain('is not a SQLite database')
  })

  it('the beginning of a SQLite file', async () => {
    writeFileSync(scratch.path, readFileSync(fixture('js-done')).subarray(0, 60))
    expect(await refusalOf(scratch)).toContain('is cut off')
  })

  it('a file cut off in the middle', async () => {
    copyFixture('js-done', scratch.path)
    truncateSync(scratch.path, 12_288)
    expect(await refusalOf(scratch)).toContain('is cut off')
    truncateSync(scratch.path, 12_000)
    expect(await refusalOf(scratch)).toContain('is cut off')
  })

  it('a header with a page size that cannot be', async () => {
    const bytes = readFileSync(fixture('js-done'))
    bytes.writeUInt16BE(1000, 16)
    writeFileSync(scratch.path, bytes)
    expect(await refusalOf(scratch)).toContain('damaged header')
  })

  it('a file whose pages are damaged', async () => {
    const bytes = readFileSync(fixture('js-done'))
    bytes.fill(0xff, 4096)
    writeFileSync(scratch.path, bytes)
    expect(await refusalOf(scratch)).toContain('damaged')
  })

  it('the database of another application', async () => {
    makeDatabase(scratch.path, 'pragma application_id = 0x414c4447', CHECKPOINTS, WRITES)
    expect(await refusalOf(scratch)).toContain(
      'is a ledger of agent-ledger, not the records of another system',
    )
    makeDatabase(scratch.path, 'pragma application_id = 0x0f055112')
    expect(await refusalOf(scratch)).toContain('belongs to another application (application id 0x0f055112)')
    scratch.remove()
    scratch = createScratch()
    makeDatabase(scratch.path, 'create table notes (text)')
    expect(await refusalOf(scratch)).toContain('has no table checkpoints')
  })

  it('a database without tables', async () => {
    makeDatabase(scratch.path, 'create table t (a)', 'drop table t')
    expect(await refusalOf(scratch)).toContain('without any tables')
  })

  it('the main file of a killed agent without its -wal: says to bring it', async () => {
    copyFileSync(fixture('js-kill-mid-node'), scratch.path)
    expect(await refusalOf(scratch)).toContain('bring the -wal file')
  })

  it.each([
    [
      'a view that runs without end',
      `create view checkpoints as with recursive n(i) as (select 1 union all select i + 1 from n)
      select i as thread_id, '' as checkpoint_ns, i as checkpoint_id, null as parent_checkpoint_id, 'json' as type,
      '' as checkpoint, '' as metadata from n`,
      'a view',
    ],
    [
      'a virtual table',
      'create virtual table checkpoints using fts5(thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)',
      'a virtual',
    ],
    [
      'a computed column',
      CHECKPOINTS.replace('metadata BLOB', 'metadata BLOB as (zeroblob(1000000000))'),
      'computes checkpoints.metadata',
    ],
    ['a table without the key', 'create table checkpoints (thread_id, type)', 'without checkpoint_ns'],
    ['a table without rowid', `${CHECKPOINTS} without rowid`, 'without rowid'],
  ])('%s in place of the table', async (_, checkpoints, message) => {
    makeDatabase(scratch.path, checkpoints, WRITES)
    expect(await refusalOf(scratch)).toContain(message)
  })

  it('a trigger on the checkpoints', async () => {
    makeDatabase(
      scratch.path,
      CHECKPOINTS,
      WRITES,
      "create trigger t before insert on writes begin select raise(abort, 'x'); end",
    )
    expect(await refusalOf(scratch)).toContain('trigger')
  })
})
