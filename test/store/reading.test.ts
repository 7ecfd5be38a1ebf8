import {
  chmodSync,
  cpSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addTask, aLedger, aProcess, reading, tamper, taskIds, writing } from './support/ledgers.js'
import { aDirectory, asOrdinaryUser, contentsOf, makeUnwritable } from './support/places.js'

describe('a ledger opened for reading', () => {
  it('is read while an agent writes, up to its last commit', async () => {
    const { path } = aLedger()
    await aProcess('writer', path)
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual(['from-the-writer'])
  })

  it('sees each further commit of a writer without being opened again', async () => {
    const { path } = aLedger()
    const writer = await writing(path)
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual([])
    await writer.write(addTask('later'))
    expect(await taskIds(reader)).toEqual(['later'])
  })

  it('is read whole after its writer was killed, and left byte for byte as it was', async () => {
    const { path, directory } = aLedger()
    const writer = await aProcess('writer', path)
    await writer.kill()
    const before = contentsOf(directory)
    expect(Object.keys(before)).toEqual(['ledger.db', 'ledger.db-shm', 'ledger.db-wal'])
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual(['from-the-writer'])
    await reader.close()
    expect(contentsOf(directory)).toEqual(before)
  })

  it('shows nothing of the reading in the directory even while it is open', async () => {
    const { path, directory } = aLedger()
    await (await aProcess('writer', path)).kill()
    const before = readdirSync(directory)
    const left = readdirSync(tmpdir()).filter(isOurs)
    await taskIds(await reading(path))
    expect(readdirSync(directory)).toEqual(before)
    expect(statSync(path).nlink).toBe(1)
    expect(readdirSync(tmpdir()).filter(isOurs)).toEqual(left)
  })

  it.each([
    ['relative', 'home/ledger.db'],
    ['absolute', null],
  ])('is read by a link that is %s as by its own name: whole, and without a trace', async (_, target) => {
    const { path, directory } = aLedger()
    const link = join(directory, '..', 'link.db')
    symlinkSync(target ?? path, link)
    await (await aProcess('writer', path)).kill()
    const before = contentsOf(directory)
    const reader = await reading(link)
    expect(await taskIds(reader)).toEqual(['from-the-writer'])
    expect(contentsOf(directory)).toEqual(before)

    unlinkSync(link)
    symlinkSync(aLedger().path, link)
    expect(await taskIds(reader)).toEqual([])
  })

  it('leaves no -wal and -shm beside a file that was closed cleanly', async () => {
    const { path, directory } = aLedger()
    const before = contentsOf(directory)
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual([])
    expect(contentsOf(directory)).toEqual(before)
    await reader.close()
    expect(contentsOf(directory)).toEqual(before)
  })

  it('is read where neither file nor directory may be written', async () => {
    const { path, directory } = aLedger()
    tamper(path, taskRow('kept'))
    chmodSync(path, 0o444)
    makeUnwritable(directory)
    const before = contentsOf(directory)
    await asOrdinaryUser(async () => {
      const reader = await reading(path)
      expect(await taskIds(reader)).toEqual(['kept'])
      await reader.close()
    })
    expect(contentsOf(directory)).toEqual(before)
  })

  it('is read with its -wal where neither may be written', async () => {
    const { path, directory } = aLedger()
    await (await aProcess('writer', path)).kill()
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444)
    makeUnwritable(directory)
    const before = contentsOf(directory)
    await asOrdinaryUser(async () => {
      const reader = await reading(path)
      expect(await taskIds(reader)).toEqual(['from-the-writer'])
      await reader.close()
    })
    expect(contentsOf(directory)).toEqual(before)
  })

  it('is read across devices through a directory beside it, which is gone again at once', async () => {
    const { path, directory } = aLedger()
    await (await aProcess('writer', path)).kill()
    const before = contentsOf(directory)
    temporaryDirectoryOnAnotherDevice()
    expect(await taskIds(await reading(path))).toEqual(['from-the-writer'])
    expect(contentsOf(directory)).toEqual(before)
  })

  it('is read from a copy across devices where its directory may not be written', async () => {
    const { path, directory } = aLedger()
    await (await aProcess('writer', path)).kill()
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444)
    makeUnwritable(directory)
    const before = contentsOf(directory)
    const elsewhere = temporaryDirectoryOnAnotherDevice()
    await asOrdinaryUser(async () => {
      const reader = await reading(path)
      expect(await taskIds(reader)).toEqual(['from-the-writer'])
      await reader.close()
    })
    expect(contentsOf(directory)).toEqual(before)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('is read from a copy of file and -wal', async () => {
    const { path, directory } = aLedger()
    await (await aProcess('writer', path)).kill()
    const copy = join(aDirectory(), 'copy')
    cpSync(directory, copy, { recursive: true, filter: from => !from.endsWith('-shm') })
    const before = contentsOf(copy)
    expect(await taskIds(await reading(join(copy, 'ledger.db')))).toEqual(['from-the-writer'])
    expect(contentsOf(copy)).toEqual(before)
  })

  it('is read from a backup that is no longer in WAL mode', async () => {
    const { path } = aLedger()
    tamper(path, taskRow('kept'))
    const backup = join(aDirectory(), 'backup.db')
    tamper(path, `vacuum into '${backup}'`)
    tamper(backup, 'pragma journal_mode = delete')
    expect(await taskIds(await reading(backup))).toEqual(['kept'])
  })

  it('sees a writer that comes to life after the opening', async () => {
    const { path } = aLedger()
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual([])
    await aProcess('writer', path)
    expect(await taskIds(reader)).toEqual(['from-the-writer'])
  })

  it('sees what was written by one that came, closed and checkpointed between two readings', async () => {
    const { path, directory } = aLedger()
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual([])
    const writer = await writing(path)
    await writer.write(addTask('between'))
    await writer.close()
    expect(await taskIds(reader)).toEqual(['between'])
    await reader.close()
    expect(Object.keys(contentsOf(directory))).toContain('ledger.db')
  })

  it('is read while others write without pause, and never torn', async () => {
    const { path } = aLedger()
    const busy = await Promise.all([aProcess('busy', path), aProcess('busy', path)])
    const reader = await reading(path)
    let last = 0
    for (let n = 0; n < 50; n++) {
      const seen = (await taskIds(reader)).length
      expect(seen).toBeGreaterThanOrEqual(last)
      last = seen
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    await Promise.all(busy.map(writer => writer.kill()))
    expect((await taskIds(reader)).length).toBeGreaterThanOrEqual(last)
    expect(last).toBeGreaterThan(0)
  })

  it('finds the file that took its place', async () => {
    const { path } = aLedger()
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual([])
    const other = aLedger()
    tamper(other.path, taskRow('restored'))
    cpSync(other.path, path, { force: true })
    expect(await taskIds(reader)).toEqual(['restored'])
  })

  it('refuses to write', async () => {
    const { path } = aLedger()
    const reader = await reading(path)
    await expect(reader.write(addTask('no'))).rejects.toMatchObject({ code: 'ledger_unwritable' })
    await expect(reader.read(addTask('no'))).rejects.toThrow()
    expect(await taskIds(reader)).toEqual([])
  })

  it('does not drop the locks of a writer in the same process', async () => {
    const { path } = aLedger()
    const writer = await writing(path)
    await writer.write(addTask('one'))
    const reader = await reading(path)
    expect(await taskIds(reader)).toEqual(['one'])
    await reader.close()
    // what SQLite holds on the file itself for as long as it is open: howtocorrupt.html 2.2
    expect(readFileSync('/proc/locks', 'utf8')).toContain(`:${statSync(path).ino} 1073741826`)
  })

  it('shares the file with a hard link of somebody else', async () => {
    const { path, directory } = aLedger()
    linkSync(path, join(directory, 'same.db'))
    expect(await taskIds(await reading(path))).toEqual([])
  })
})

/** /dev/shm is memory, the test's ledgers lie on a disk: a hard link cannot join the two. */
function temporaryDirectoryOnAnotherDevice(): string {
  const elsewhere = mkdtempSync('/dev/shm/agent-ledger-test-')
  chmodSync(elsewhere, 0o777)
  expect(statSync(elsewhere).dev).not.toBe(statSync(tmpdir()).dev)
  vi.stubEnv('TMPDIR', elsewhere)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(elsewhere, { recursive: true, force: true })
  })
  return elsewhere
}

function isOurs(name: string): boolean {
  return name.startsWith('agent-ledger-reading-')
}

function taskRow(id: string): string {
  return `insert into ledger_task (task_id, status, links, labels, epoch, version, created_at, updated_at)
          values ('${id}', 'running', '[]', '{}', 1, 1, 1, 1)`
}
