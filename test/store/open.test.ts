import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/store/engine.js'
import { refuseOldSqlite } from '../../src/store/sqlite/connection.js'
import { newLedgerFile } from '../../src/store/sqlite/new.js'
import { openForWriting } from '../../src/store/sqlite/open.js'
import { openForReading } from '../../src/store/sqlite/reading.js'
import { NOON, stampAt } from '../core/builders.js'
import { addTask, aLedger, aProcess, reading, tamper, taskIds, writing } from './support/ledgers.js'
import { aDirectory, asOrdinaryUser, contentsOf, makeUnwritable } from './support/places.js'
import { objectOf } from './support/rows.js'

const OPENINGS: readonly { name: string; open: (path: string) => Promise<Engine> }[] = [
  { name: 'for writing', open: path => openForWriting({ path, waitMs: 30 }) },
  { name: 'for reading', open: path => openForReading({ path, waitMs: 30 }) },
]

interface BadFile {
  readonly it: string
  readonly code: string
  readonly says: RegExp
  readonly make: (path: string) => void
}

const BAD_FILES: readonly BadFile[] = [
  { it: 'is not there', code: 'ledger_missing', says: /there is no ledger at/, make: () => undefined },
  { it: 'is a directory', code: 'not_a_ledger', says: /is a directory/, make: path => mkdirSync(path) },
  {
    it: 'is a named pipe',
    code: 'not_a_ledger',
    says: /is a named pipe/,
    make: path => execFileSync('mkfifo', [path]),
  },
  { it: 'is empty', code: 'not_a_ledger', says: /the file is empty/, make: path => writeFileSync(path, '') },
  {
    it: 'is text',
    code: 'not_a_ledger',
    says: /not an SQLite database/,
    make: path => writeFileSync(path, '{"ledger": true}\n'.repeat(100)),
  },
  {
    it: 'ends inside its header',
    code: 'ledger_damaged',
    says: /ends inside its header \(60 bytes\)/,
    make: path => writeFileSync(path, readFileSync(closedLedger()).subarray(0, 60)),
  },
  {
    it: "is another program's SQLite database",
    code: 'not_a_ledger',
    says: /belongs to another program/,
    make: path => tamper(path, 'create table checkpoints (thread_id text); pragma journal_mode = wal'),
  },
  {
    it: "carries another program's mark",
    code: 'not_a_ledger',
    says: /application id 0xf055112/,
    make: path => tamper(path, 'pragma application_id = 252006674; create table event (id integer)'),
  },
  {
    it: 'has a newer schema',
    code: 'ledger_newer',
    says: /has schema 99; this program knows up to/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'pragma user_version = 99')
    },
  },
  {
    it: 'lost its end',
    code: 'ledger_damaged',
    says: /the end is missing/,
    make: path => {
      copyFileSync(closedLedger(), path)
      truncateSync(path, statSync(path).size - 4096)
    },
  },
  {
    it: 'has a flipped bit where its schema stands',
    code: 'ledger_damaged',
    says: /damaged|changed by another program/,
    make: path => {
      const bytes = readFileSync(closedLedger())
      const at = bytes.indexOf('CREATE TABLE ledger_event') + 'CREATE TABLE '.length
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x01, at)
      writeFileSync(path, bytes)
    },
  },
  {
    it: 'has a page of another file in it',
    code: 'ledger_damaged',
    says: /damaged/,
    make: path => {
      const bytes = readFileSync(closedLedger())
      bytes.fill(0x5a, 100, 4096)
      writeFileSync(path, bytes)
    },
  },
  {
    it: 'has a trigger more',
    code: 'ledger_damaged',
    says: /the trigger "quiet" is not of a ledger/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'create trigger quiet after insert on ledger_event begin delete from ledger_task; end')
    },
  },
  {
    it: 'has a view in place of a table',
    code: 'ledger_damaged',
    says: /the view "ledger_note" is not of a ledger/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(
        path,
        `drop table ledger_note;
         create view ledger_note as
         with recursive endless (n) as (select 1 union all select n + 1 from endless) select n from endless`,
      )
    },
  },
  {
    it: 'lost the trigger that keeps events as they are',
    code: 'ledger_damaged',
    says: /the trigger "ledger_event_update" is missing/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'drop trigger ledger_event_update')
    },
  },
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

function closedLedger(): string {
  return aLedger().path
}

/** Digests where there are plain files; a pipe must not be read, a directory cannot be. */
function looksLike(directory: string): unknown {
  const names = readdirSync(directory)
  const isPlain = names.every(name => statSync(join(directory, name)).isFile())
  return isPlain ? contentsOf(directory) : names
}
