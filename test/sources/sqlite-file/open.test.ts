import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { platform } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLedgerError } from '../../../src/core/errors.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import { openSqliteFile } from '../../../src/sources/sqlite-file/open.js'
import { folderState } from '../folder-state.js'
import {
  CHECKPOINTS,
  copyFixture,
  createScratch,
  fixture,
  makeDatabase,
  type Scratch,
  WRITES,
} from '../saver-file.js'

const driver = createRequire(import.meta.url).resolve('better-sqlite3')
let scratch: Scratch
beforeEach(() => {
  scratch = createScratch()
})
afterEach(() => scratch.remove())

const read = () => readCheckpoint(scratch.path, { scratchDir: scratch.scratchDir })

/** Reads, expects a clear refusal, and that nothing was changed or left behind. */
async function refusalOf(path = scratch.path): Promise<string> {
  const before = folderState(scratch.folder)
  const error = await readCheckpoint(path, { scratchDir: scratch.scratchDir }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(folderState(scratch.folder)).toEqual(before)
  expect(readdirSync(scratch.scratchDir)).toEqual([])
  if (!isLedgerError(error)) throw error ?? new Error('it was read')
  expect(error).toMatchObject({ code: 'ledger_unreadable', exitCode: 3 })
  expect(error.message).toContain(path)
  expect(error.hint.length).toBeGreaterThan(10)
  return error.message
}

describe('a path that holds no checkpoints is refused with path and advice, and left as it is', () => {
  it('nothing there', async () => {
    expect(await refusalOf()).toContain('does not exist')
    expect(await refusalOf(join(scratch.path, 'deeper'))).toContain('does not exist')
  })

  it('a folder', async () => {
    mkdirSync(scratch.path)
    expect(await refusalOf()).toContain('is a folder')
    expect(() => openSqliteFile(scratch.path)).toThrow('is a folder')
  })

  it('a pipe, which must not be waited for', async () => {
    spawnSync('mkfifo', [scratch.path])
    expect(await refusalOf()).toContain('is a pipe, socket or device, not a file')
    expect(() => openSqliteFile(scratch.path)).toThrow('is not a plain file')
  })

  it('an empty file', async () => {
    writeFileSync(scratch.path, '')
    expect(await refusalOf()).toContain('is empty')
    writeFileSync(`${scratch.path}-wal`, 'x')
    expect(await refusalOf()).toContain('is empty, though a -wal lies beside it')
    expect(() => openSqliteFile(scratch.path)).toThrow('is empty, though a -wal lies beside it')
  })

  it('a file of another kind', async () => {
    writeFileSync(scratch.path, 'SQLite format 4\0 is not a thing')
    expect(await refusalOf()).toContain('is not a SQLite database')
  })

  it('the beginning of a SQLite file', async () => {
    writeFileSync(scratch.path, readFileSync(fixture('js-done')).subarray(0, 60))
    expect(await refusalOf()).toContain('is cut off')
  })

  it('a file cut off in the middle', async () => {
    copyFixture('js-done', scratch.path)
    truncateSync(scratch.path, 12_288)
    expect(await refusalOf()).toContain('is cut off')
    truncateSync(scratch.path, 12_000)
    expect(await refusalOf()).toContain('is cut off')
  })

  it('a header with a page size that cannot be', async () => {
    const bytes = readFileSync(fixture('js-done'))
    bytes.writeUInt16BE(1000, 16)
    writeFileSync(scratch.path, bytes)
    expect(await refusalOf()).toContain('damaged header')
  })

  it('a file whose pages are damaged', async () => {
    const bytes = readFileSync(fixture('js-done'))
    bytes.fill(0xff, 4096)
    writeFileSync(scratch.path, bytes)
    expect(await refusalOf()).toContain('damaged')
  })

  it('the database of another application', async () => {
    makeDatabase(scratch.path, 'pragma application_id = 0x414c4447', CHECKPOINTS, WRITES)
    expect(await refusalOf()).toContain('is a ledger of agent-ledger, not the records of another system')
    makeDatabase(scratch.path, 'pragma application_id = 0x0f055112')
    expect(await refusalOf()).toContain('belongs to another application (application id 0x0f055112)')
    scratch.remove()
    scratch = createScratch()
    makeDatabase(scratch.path, 'create table notes (text)')
    expect(await refusalOf()).toContain('has no table checkpoints')
  })

  it('a database without tables', async () => {
    makeDatabase(scratch.path, 'create table t (a)', 'drop table t')
    expect(await refusalOf()).toContain('without any tables')
  })

  it('the main file of a killed agent without its -wal: says to bring it', async () => {
    copyFileSync(fixture('js-kill-mid-node'), scratch.path)
    expect(await refusalOf()).toContain('bring the -wal file')
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
    expect(await refusalOf()).toContain(message)
  })

  it('a trigger on the checkpoints', async () => {
    makeDatabase(
      scratch.path,
      CHECKPOINTS,
      WRITES,
      "create trigger t before insert on writes begin select raise(abort, 'x'); end",
    )
    expect(await refusalOf()).toContain('trigger')
  })
})

describe('a database that is read', () => {
  it('may hold tables, views and triggers of the application beside its checkpoints', async () => {
    makeDatabase(
      scratch.path,
      CHECKPOINTS,
      WRITES,
      'create table mails (id)',
      'create view v as select * from mails',
      'create trigger t after insert on mails begin delete from mails; end',
    )
    expect((await read()).threads).toEqual([])
  })

  it('is found through a link, with the -wal beside the file itself', async () => {
    const elsewhere = join(scratch.folder, 'elsewhere')
    mkdirSync(elsewhere)
    for (const suffix of ['', '-wal'])
      copyFileSync(fixture('js-kill-mid-node') + suffix, join(elsewhere, `db${suffix}`))
    symlinkSync(join(elsewhere, 'db'), scratch.path)
    const before = folderState(scratch.folder)
    expect((await read()).threads[0]?.get_state_next).toEqual(['n2'])
    expect(folderState(scratch.folder)).toEqual(before)
  })

  it('is copied where a link is not possible', async () => {
    for (const suffix of ['', '-wal'])
      copyFileSync(fixture('js-kill-mid-node') + suffix, scratch.path + suffix)
    // Another file system where there is one: links do not cross it.
    const scratchDir = platform() === 'linux' ? '/dev/shm' : scratch.scratchDir
    const before = [folderState(scratch.folder), readdirSync(scratchDir)]
    const { threads } = await readCheckpoint(scratch.path, { scratchDir })
    expect(threads[0]?.get_state_next).toEqual(['n2'])
    expect([folderState(scratch.folder), readdirSync(scratchDir)]).toEqual(before)
  })

  it('leaves nothing in the temporary folder from the first read on, so that a kill leaves nothing either', () => {
    for (const suffix of ['', '-wal'])
      copyFileSync(fixture('js-kill-mid-node') + suffix, scratch.path + suffix)
    const file = openSqliteFile(scratch.path, { scratchDir: scratch.scratchDir })
    try {
      if (platform() !== 'win32') expect(readdirSync(scratch.scratchDir)).toEqual([])
      expect(file.db.prepare('select count(*) as n from checkpoints').get()).toEqual({ n: 3 })
      expect(() => file.db.exec('delete from checkpoints')).toThrow()
    } finally {
      file.close()
    }
  })

  it('has the last transaction of a killed agent, and not a half written one', async () => {
    copyFileSync(fixture('js-kill-mid-node'), scratch.path)
    const wal = readFileSync(`${fixture('js-kill-mid-node')}-wal`)
    writeFileSync(`${scratch.path}-wal`, wal.subarray(0, wal.length - 2000))
    const before = folderState(scratch.folder)
    const { threads } = await read()
    expect(threads[0]?.step).toBeLessThanOrEqual(1)
    expect(folderState(scratch.folder)).toEqual(before)
  })

  it('is played back on a copy where a rollback journal is left', async () => {
    killInTransaction(scratch.path)
    expect(readdirSync(scratch.folder)).toContain('checkpoints.sqlite-journal')
    const before = folderState(scratch.folder)
    expect((await read()).threads.map(({ thread_id }) => thread_id)).toEqual(['kept'])
    expect(folderState(scratch.folder)).toEqual(before)
    expect(readdirSync(scratch.scratchDir)).toEqual([])
  })

  it('is refused while this process has it open, before a byte is read: its locks must hold', async () => {
    makeDatabase(scratch.path, CHECKPOINTS, WRITES)
    const db = new Database(scratch.path)
    try {
      db.exec('begin immediate')
      await expect(read()).rejects.toMatchObject({ code: 'ledger_unreadable' })
      await expect(read()).rejects.toThrow('is open in this process')
      expect(() => openSqliteFile(scratch.path)).toThrow('is open in this process')
      expect(errorOfWriter(scratch.path)).toBe('SQLITE_BUSY')
    } finally {
      db.close()
    }
    expect(errorOfWriter(scratch.path)).toBe('none')
    expect((await read()).threads).toEqual([])
  })

  it('may be in use: nothing changes, the agent’s locks hold, and its newest commit is seen', async () => {
    const agent = await startAgent(scratch.path)
    try {
      const before = withoutShm(folderState(scratch.folder))
      const { threads } = await read()
      expect(threads.map(({ thread_id }) => thread_id)).toEqual(['live'])
      expect(threads[0]?.warnings.map(({ code }) => code)).toContain(
        platform() === 'linux' ? 'file_in_use' : 'unclean_close',
      )
      expect(withoutShm(folderState(scratch.folder))).toEqual(before)
    } finally {
      agent.kill('SIGKILL')
      await once(agent, 'exit')
    }
    const left = folderState(scratch.folder)
    const { threads } = await read()
    expect(threads[0]?.warnings.map(({ code }) => code)).toContain('unclean_close')
    expect(folderState(scratch.folder)).toEqual(left)
  })

  it.each([
    ['a transaction', "db.exec('begin exclusive')"],
    [
      'its locking mode',
      "db.pragma('locking_mode = exclusive'); db.pragma('journal_mode = wal'); db.exec('create table x (a)')",
    ],
  ])('that a writer has locked by %s is refused as locked, and left as it is', async (_, lock) => {
    makeDatabase(scratch.path, CHECKPOINTS, WRITES)
    const script = `${PREPARE} ${lock}; console.log('ready'); setInterval(() => {}, 1000)`
    const writer = spawn(process.execPath, ['-e', script, driver, scratch.path])
    await once(writer.stdout, 'data')
    try {
      expect(await refusalOf()).toContain('is locked by a writer')
    } finally {
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
  })

  it('is said to have changed when a writer that cannot be seen touched it meanwhile', () => {
    copyFixture('js-done', scratch.path)
    const file = openSqliteFile(scratch.path, { scratchDir: scratch.scratchDir })
    try {
      expect(file.isStillCurrent()).toBe(true)
      appendFileSync(scratch.path, Buffer.alloc(4096))
      expect(file.isStillCurrent()).toBe(false)
    } finally {
      file.close()
    }
  })
})

// Readers register themselves in the -shm of a database in use; that is shared memory, not evidence.
function withoutShm(state: Record<string, string>): Record<string, string> {
  const { 'checkpoints.sqlite-shm': shm, ...rest } = state
  expect(shm).toBeDefined()
  return rest
}

const PREPARE = `
  const Database = require(process.argv[1])
  const db = new Database(process.argv[2])
`

/** What another process meets that wants to write. */
function errorOfWriter(path: string): string {
  const script = `${PREPARE}
    db.pragma('busy_timeout = 0')
    try { db.exec('begin immediate; rollback'); console.log('none') } catch (error) { console.log(error.code) }`
  return spawnSync(process.execPath, ['-e', script, driver, path], { encoding: 'utf8' }).stdout.trim()
}

function killInTransaction(path: string): void {
  makeDatabase(
    path,
    CHECKPOINTS,
    WRITES,
    "insert into writes values ('kept', '', 'c', 't', 0, 'log', 'json', '1')",
  )
  const script = `${PREPARE}
    db.pragma('cache_size = 1')
    db.exec('begin')
    const insert = db.prepare("insert into writes values (?, '', 'c', 't', 0, 'log', 'json', zeroblob(3000))")
    for (let i = 0; i < 2000; i++) insert.run('lost' + i)
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['-e', script, driver, path])
}

async function startAgent(path: string) {
  const script = `${PREPARE}
    db.pragma('journal_mode = wal')
    db.exec(${JSON.stringify(`${CHECKPOINTS}; ${WRITES}; insert into writes values ('live', '', 'c', 't', 0, 'log', 'json', '1')`)})
    console.log('ready')
    setInterval(() => {}, 1000)`
  const agent = spawn(process.execPath, ['-e', script, driver, path])
  await once(agent.stdout, 'data')
  return agent
}
