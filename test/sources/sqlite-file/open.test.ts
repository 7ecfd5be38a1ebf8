import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
import { errorOfWriter, killInTransaction, startAgent, startWriter } from './other-processes.js'
import { refusalOf } from './refusal.js'

let scratch: Scratch
beforeEach(() => {
  scratch = createScratch()
})
afterEach(() => scratch.remove())

const read = () => readCheckpoint(scratch.path, { scratchDir: scratch.scratchDir })

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
    const writer = await startWriter(scratch.path, lock)
    try {
      expect(await refusalOf(scratch)).toContain('is locked by a writer')
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
