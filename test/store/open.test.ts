import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/store/engine.js'
import { refuseOldSqlite } from '../../src/store/sqlite/connection.js'
import { newLedgerFile } from '../../src/store/sqlite/new.js'
import { openForWriting } from '../../src/store/sqlite/open.js'
import { openForReading } from '../../src/store/sqlite/reading.js'
import { NOON, stampAt } from '../core/builders.js'
import { BAD_FILES } from './support/bad-files.js'
import { addTask, aLedger, aProcess, reading, taskIds, writing } from './support/ledgers.js'
import { aDirectory, asOrdinaryUser, contentsOf, makeUnwritable } from './support/places.js'
import { objectOf } from './support/rows.js'

const OPENINGS: readonly { name: string; open: (path: string) => Promise<Engine> }[] = [
  { name: 'for writing', open: path => openForWriting({ path, waitMs: 30 }) },
  { name: 'for reading', open: path => openForReading({ path, waitMs: 30 }) },
]

for (const opening of OPENINGS) {
  describe(`opening ${opening.name} a path that`, () => {
    for (const bad of BAD_FILES) {
      it(`${bad.it} is refused and changes nothing`, async () => {
        const directory = aDirectory()
        const path = join(directory, 'ledger.db')
        bad.make(path)
        const before = looksLike(directory)
        await expect(opening.open(path)).rejects.toMatchObject({
          code: bad.code,
          path,
          message: expect.stringMatching(bad.says),
        })
        expect(looksLike(directory)).toEqual(before)
      })
    }

    it('may not be looked at is refused', async () => {
      const { path } = aLedger()
      chmodSync(path, 0o000)
      await asOrdinaryUser(async () => {
        await expect(opening.open(path)).rejects.toMatchObject({ code: 'ledger_unreadable', path })
      })
    })

    it('lies on a file system without safe locks is refused', async () => {
      const { path } = aLedger()
      const typeOf = () => 0x6969
      const open = opening.name === 'for reading' ? openForReading : openForWriting
      await expect(open({ path, waitMs: 30, typeOf })).rejects.toMatchObject({
        code: 'unsafe_filesystem',
        message: expect.stringMatching(/NFS/),
      })
    })
  })
}

describe('a locked ledger', () => {
  it('is busy for a writer once its patience ends, and nothing is written', async () => {
    const { path } = aLedger()
    const engine = await writing(path, 50)
    const locker = await aProcess('locker', path)
    await expect(engine.write(addTask('late'))).rejects.toMatchObject({ code: 'busy', path })
    expect(await taskIds(engine)).toEqual([])
    await locker.kill()
    await engine.write(addTask('in time'))
    expect(await taskIds(engine)).toEqual(['in time'])
  })

  it('is read all the same', async () => {
    const { path } = aLedger()
    await aProcess('locker', path)
    expect(await taskIds(await reading(path, 50))).toEqual([])
  })

  it('that one program keeps to itself is busy for everybody', async () => {
    const { path } = aLedger()
    await aProcess('hermit', path)
    await expect(openForWriting({ path, waitMs: 50 })).rejects.toMatchObject({ code: 'busy' })
    await expect(openForReading({ path, waitMs: 50 })).rejects.toMatchObject({ code: 'busy' })
  })
})

describe('a ledger opened for writing', () => {
  it('has every setting that durability rests on, on every connection', async () => {
    const { path } = aLedger()
    const engine = await writing(path)
    const settings = await engine.read(function* () {
      const seen: Record<string, unknown> = {}
      for (const name of ['synchronous', 'journal_mode', 'foreign_keys', 'recursive_triggers', 'mmap_size']) {
        const [row] = yield { text: `pragma ${name}`, params: [] }
        seen[name] = row && objectOf(row)[name]
      }
      return seen
    })
    expect(settings).toEqual({
      synchronous: 2,
      journal_mode: 'wal',
      foreign_keys: 1,
      recursive_triggers: 1,
      mmap_size: 0,
    })
  })

  it('refuses a directory where the -wal cannot be made', async () => {
    const { path, directory } = aLedger()
    chmodSync(path, 0o666)
    makeUnwritable(directory)
    await asOrdinaryUser(async () => {
      await expect(openForWriting({ path, waitMs: 30 })).rejects.toMatchObject({
        code: 'ledger_unwritable',
        path,
      })
    })
  })

  it('refuses a file that may only be read', async () => {
    const { path } = aLedger()
    chmodSync(path, 0o444)
    const before = readFileSync(path)
    await asOrdinaryUser(async () => {
      await expect(openForWriting({ path, waitMs: 30 })).rejects.toMatchObject({ code: 'ledger_unwritable' })
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it.each([
    ['3.51.3', true],
    ['3.53.2', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.40.1', false],
  ])('with SQLite %s is safe: %s', (version, isSafe) => {
    if (isSafe) expect(() => refuseOldSqlite(version)).not.toThrow()
    else expect(() => refuseOldSqlite(version)).toThrow(/before 3\.51\.3/)
  })
})

describe('a new ledger file', () => {
  it('is there whole, for its owner alone, in directories for their owner alone', () => {
    const path = join(aDirectory(), 'deep', 'er', 'ledger.db')
    expect(newLedgerFile({ path, now: stampAt(NOON), program: 'a test' })).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(path, '..'))).toEqual(['ledger.db'])
  })

  it('never takes the place of a file that is there', () => {
    const { path, directory } = aLedger()
    const before = contentsOf(directory)
    expect(newLedgerFile({ path, now: stampAt(NOON), program: 'a test' })).toBe(false)
    expect(contentsOf(directory)).toEqual(before)
    const precious = join(directory, 'precious.txt')
    writeFileSync(precious, 'mine')
    expect(newLedgerFile({ path: precious, now: stampAt(NOON), program: 'a test' })).toBe(false)
    expect(readFileSync(precious, 'utf8')).toBe('mine')
  })

  it('never takes the place of one that came while it was made', () => {
    const directory = aDirectory()
    const path = join(directory, 'ledger.db')
    const typeOf = () => {
      writeFileSync(path, 'somebody was first')
      return null
    }
    expect(newLedgerFile({ path, now: stampAt(NOON), program: 'a test', typeOf })).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('somebody was first')
    expect(readdirSync(directory)).toEqual(['ledger.db'])
  })

  it('has an id of its own', async () => {
    const ids = [aLedger(), aLedger()].map(({ path }) =>
      new Database(path, { readonly: true }).prepare('select ledger_id from ledger_meta').pluck().get(),
    )
    expect(ids[0]).not.toBe(ids[1])
  })

  it('is refused on an unsafe file system before anything is made', () => {
    const directory = aDirectory()
    const path = join(directory, 'ledger.db')
    const typeOf = () => 0x65735546
    expect(() => newLedgerFile({ path, now: stampAt(NOON), program: 'a test', typeOf })).toThrow(/FUSE/)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(directory)).toEqual([])
  })

  it('says where it could not be made', async () => {
    const directory = aDirectory()
    makeUnwritable(directory)
    const path = join(directory, 'ledger.db')
    await asOrdinaryUser(async () => {
      expect(() => newLedgerFile({ path, now: stampAt(NOON), program: 'a test' })).toThrow(
        expect.objectContaining({ code: 'ledger_unwritable', path }),
      )
    })
  })
})

/** Digests where there are plain files; a pipe must not be read, a directory cannot be. */
function looksLike(directory: string): unknown {
  const names = readdirSync(directory)
  const isPlain = names.every(name => statSync(join(directory, name)).isFile())
  return isPlain ? contentsOf(directory) : names
}
