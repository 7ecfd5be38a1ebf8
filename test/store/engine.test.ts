import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isLedgerError } from '../../src/core/errors.js'
import { number, text } from '../../src/store/cells.js'
import { drive, type Engine, type Param, placesOf, query, type Sql, turn } from '../../src/store/engine.js'
import { connectForWriting } from '../../src/store/sqlite/connection.js'
import { fileIdOf } from '../../src/store/sqlite/in-place.js'
import { runSql } from '../../src/store/sqlite/run.js'
import { sqliteEngine } from '../../src/store/sqlite/sqlite.js'
import { aDirectory } from './support/places.js'
import { onStatement } from './support/statements.js'

describe('the engine of one SQLite file', () => {
  it('gives a writer its value once the commit is durable', async () => {
    const { engine, other } = await aTable()
    const value = await engine.write(function* () {
      yield* add('a')
      return 'written'
    })
    expect(value).toBe('written')
    expect(other.prepare('select name from t').pluck().all()).toEqual(['a'])
  })

  it('holds the work of concurrent callers in one commit', async () => {
    const { engine, commits } = await aTable()
    await Promise.all(['a', 'b', 'c', 'd'].map(name => engine.write(() => add(name))))
    expect(commits()).toBe(1)
  })

  it('lets a member of a commit see what those before it wrote', async () => {
    const { engine } = await aTable()
    const counted = await Promise.all([
      engine.write(() => add('a')),
      engine.write(count),
      engine.write(() => add('b')),
      engine.write(count),
    ])
    expect(counted).toEqual([undefined, 1, undefined, 2])
  })

  it('undoes and rejects only the member that failed', async () => {
    const { engine } = await aTable()
    const ends = await Promise.allSettled([
      engine.write(() => add('a')),
      engine.write(function* () {
        yield* add('half')
        yield* add('a')
      }),
      engine.write(() => add('c')),
    ])
    expect(ends.map(end => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await engine.read(names)).toEqual(['a', 'c'])
  })

  it('gives the event loop its turns in a long commit, and lets nobody see half of it', async () => {
    const { engine, other, commits } = await aTable()
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const long = engine.write(
      function* () {
        for (const name of ['a', 'b', 'c']) {
          yield* add(name)
          for (let n = 0; n < 20; n++) yield* turn()
        }
      },
      { isLong: true },
    )
    await nextTurn()
    await nextTurn()
    const beside = engine.write(() => add('d'))
    const seen = engine.read(names)
    expect(other.prepare('select name from t').pluck().all()).toEqual([])
    await Promise.all([long, beside])
    clearInterval(counting)
    expect(await seen).toEqual(expect.arrayContaining(['a', 'b', 'c']))
    expect(turns).toBeGreaterThan(0)
    expect(commits()).toBe(2)
  })

  it('undoes a long commit that throws after a turn, and goes on with those behind it', async () => {
    const { engine } = await aTable()
    const long = engine.write(
      function* () {
        yield* add('half')
        yield* turn()
        throw new Error('given up')
      },
      { isLong: true },
    )
    const behind = engine.write(() => add('b'))
    await expect(long).rejects.toThrow('given up')
    await behind
    expect(await engine.read(names)).toEqual(['b'])
  })

  it('writes nothing when every member failed', async () => {
    const { engine, commits } = await aTable()
    const bug = new Error('a bug of the caller')
    await expect(
      engine.write(function* () {
        yield* add('a')
        throw bug
      }),
    ).rejects.toBe(bug)
    expect(await engine.read(names)).toEqual([])
    expect(commits()).toBe(0)
  })

  it('throws the error of a query into the work, which may go on without it', async () => {
    const { engine } = await aTable()
    const said = await engine.write(function* () {
      yield* add('a')
      try {
        yield* add('a')
      } catch {
        return 'it was there already'
      }
      return 'added twice'
    })
    expect(said).toBe('it was there already')
    expect(await engine.read(names)).toEqual(['a'])
  })

  it('reads one snapshot and leaves no transaction behind', async () => {
    const { engine, other } = await aTable()
    const seen = await engine.read(function* () {
      const before = yield* count()
      other.exec("insert into t values ('from another connection')")
      return [before, yield* count()]
    })
    expect(seen).toEqual([0, 0])
    expect(await engine.read(count)).toBe(1)
  })

  it('cannot write while reading', async () => {
    const { engine } = await aTable()
    await engine.read(() => add('a'))
    expect(await engine.read(names)).toEqual([])
  })

  it('finishes what was begun before it closes, and takes nothing more', async () => {
    const { engine, other } = await aTable()
    const begun = engine.write(() => add('a'))
    await engine.close()
    await begun
    expect(other.prepare('select name from t').pluck().all()).toEqual(['a'])
    await expect(engine.write(() => add('b'))).rejects.toMatchObject({ code: 'ledger_unwritable' })
    await expect(engine.read(names)).rejects.toMatchObject({ code: 'ledger_unwritable' })
  })

  it('refuses values that would not come back as they were', async () => {
    const { engine } = await aTable()
    const refused: Param[] = [
      'half \ud800 pair',
      'nul \0 inside',
      2 ** 60,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]
    for (const value of refused) {
      await expect(engine.write(() => query('insert into t values ($1)', [value]))).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
  })

  it('keeps whole numbers whole, even in a column of text', async () => {
    const { engine } = await aTable()
    await engine.write(() => query('insert into t values (cast($1 as text))', [5]))
    expect(await engine.read(names)).toEqual(['5'])
  })
})

describe('a failure of the machine below', () => {
  it('says that nothing was written when the disk is full before the commit', async () => {
    const { engine, path } = await aTable({ pages: 8 })
    const big = () => query('insert into t values ($1)', ['x'.repeat(60_000)])
    const error = await engine.write(big).catch((caught: unknown) => caught)
    expect(isLedgerError(error) && [error.code, error.path, error.facts]).toEqual([
      'ledger_unwritable',
      path,
      { commit: 'none' },
    ])
  })

  it('opens the file anew after a failure, and works again', async () => {
    const { engine, connections } = await aTable({ pages: 8 })
    await engine.write(() => query('insert into t values ($1)', ['x'.repeat(60_000)])).catch(() => undefined)
    await engine.write(() => add('after'))
    expect(await engine.read(names)).toEqual(['after'])
    expect(connections()).toBe(2)
  })

  it('rejects every member of a commit that could not be made', async () => {
    const { engine } = await aTable({ pages: 8 })
    const ends = await Promise.allSettled([
      engine.write(() => add('first')),
      engine.write(() => query('insert into t values ($1)', ['x'.repeat(60_000)])),
      engine.write(() => add('third')),
    ])
    expect(ends.map(end => end.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await engine.read(names)).toEqual([])
  })
})

describe('SQL as a generator', () => {
  it('runs inside a transaction that the caller holds', () => {
    const database = new Database(':memory:')
    database.exec('create table t (name text unique)')
    const transfer = database.transaction(() => {
      runSql(database, add('a'))
      throw new Error('the caller changes its mind')
    })
    expect(() => transfer()).toThrow('changes its mind')
    expect(runSql(database, names())).toEqual([])
  })

  it('needs no database to be driven', () => {
    const asked: string[] = []
    const value = drive(count(), ({ text }) => {
      asked.push(text)
      return [{ cells: [3], places: placesOf(['n']) }]
    })
    expect(value).toBe(3)
    expect(asked).toHaveLength(1)
  })
})

function* add(name: string): Sql<void> {
  yield* query('insert into t values ($1)', [name])
}

function* count(): Sql<number> {
  const [row] = yield* query('select count(*) as n from t')
  return row ? number(row, 'n') : 0
}

function* names(): Sql<unknown[]> {
  const rows = yield* query('select name from t order by rowid')
  return rows.map(row => text(row, 'name'))
}

/** A file with one table, the engine on it, and another connection that sees only what is committed. */
async function aTable({ pages }: { pages?: number } = {}) {
  const path = `${aDirectory()}/t.db`
  const other = new Database(path)
  other.pragma('journal_mode = wal')
  other.exec('create table t (name text unique) strict')
  let connections = 0
  let commits = 0
  const engine: Engine = await sqliteEngine({
    path,
    waitMs: 2_000,
    connect: async () => {
      connections++
      const database = connectForWriting(path, () => undefined)
      if (pages !== undefined) database.pragma(`max_page_count = ${pages}`)
      onStatement(database, 'commit', run => {
        commits++
        run()
      })
      return { database, file: fileIdOf(statSync(path)), close: () => database.close() }
    },
  })
  onTestFinished(async () => {
    await engine.close()
    other.close()
  })
  return { engine, other, path, commits: () => commits, connections: () => connections }
}
