import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectForWriting } from '../../src/store/sqlite/connection.js'
import { fileIdOf } from '../../src/store/sqlite/in-place.js'
import type { Connection } from '../../src/store/sqlite/sqlite.js'
import { sqliteEngine } from '../../src/store/sqlite/sqlite.js'
import { addTask, aLedger, taskIds } from './support/ledgers.js'
import { onStatement } from './support/statements.js'

// A commit that fails is the one moment when the ledger itself does not know. The disk is made to fail in the
// driver's stead: what SQLite answers then was seen on a real one (EIO at fsync: 2 acknowledged, 3 rows there).

describe('a commit that fails', () => {
  it('is unknown to its caller, and the file is opened anew before anything else', async () => {
    const { engine, connections, failNext } = await aFailingDisk()
    failNext({ afterCommit: false })
    await expect(engine.write(addTask('lost'))).rejects.toMatchObject({
      code: 'ledger_unwritable',
      facts: { commit: 'unknown' },
    })
    await engine.write(addTask('after'))
    expect(await taskIds(engine)).toEqual(['after'])
    expect(connections()).toBe(2)
  })

  it('may have been written: reading again tells', async () => {
    const { engine, failNext } = await aFailingDisk()
    failNext({ afterCommit: true })
    await expect(engine.write(addTask('there'))).rejects.toMatchObject({ facts: { commit: 'unknown' } })
    expect(await taskIds(engine)).toEqual(['there'])
  })

  it('is unknown to every member of it, and to none that had failed before', async () => {
    const { engine, failNext } = await aFailingDisk()
    failNext({ afterCommit: false })
    const bug = new Error('a bug of the caller')
    const ends = await Promise.allSettled([
      engine.write(addTask('a')),
      engine.write(() => {
        throw bug
      }),
      engine.write(addTask('c')),
    ])
    expect(
      ends.map(end => (end.status === 'rejected' ? (end.reason.facts ?? end.reason) : end.status)),
    ).toEqual([{ commit: 'unknown' }, bug, { commit: 'unknown' }])
  })

  it('goes on failing while the file cannot be opened, and says that nothing was written', async () => {
    const { engine, failNext, failOpening } = await aFailingDisk()
    failNext({ afterCommit: false })
    await expect(engine.write(addTask('lost'))).rejects.toMatchObject({ facts: { commit: 'unknown' } })
    failOpening(true)
    await expect(engine.write(addTask('no'))).rejects.toMatchObject({
      code: 'ledger_unwritable',
      facts: { commit: 'none' },
    })
    failOpening(false)
    await engine.write(addTask('yes'))
    expect(await taskIds(engine)).toEqual(['yes'])
  })
})

describe('after a commit that failed', () => {
  it('nothing is written until what the log holds is in the file too, for an fsync of the log proves nothing any more', async () => {
    const { engine, path, failNext } = await aFailingDisk()
    const reader = new Database(path, { readonly: true })
    onTestFinished(() => void reader.close())
    reader.exec('begin')
    reader.prepare('select count(*) from ledger_task').get()
    failNext({ afterCommit: true })
    await expect(engine.write(addTask('there'))).rejects.toMatchObject({ facts: { commit: 'unknown' } })
    await expect(engine.write(addTask('no'))).rejects.toMatchObject({ code: 'busy' })
    reader.exec('rollback')
    await engine.write(addTask('yes'))
    expect(await taskIds(engine)).toEqual(['there', 'yes'])
  })
})

/** A connection whose next COMMIT answers with an I/O error, before or after it took effect. */
async function aFailingDisk() {
  const { path } = aLedger()
  let connections = 0
  let failure: { readonly afterCommit: boolean } | null = null
  let isUnopenable = false
  const connect = async (): Promise<Connection> => {
    if (isUnopenable) throw new Database.SqliteError('unable to open database file', 'SQLITE_CANTOPEN')
    connections++
    const database = connectForWriting(path, () => undefined)
    onStatement(database, 'commit', run => {
      if (failure === null) return run()
      const { afterCommit } = failure
      failure = null
      if (afterCommit) run()
      throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
    })
    return { database, file: fileIdOf(statSync(path)), close: () => database.close() }
  }
  const engine = await sqliteEngine({ path, waitMs: 1_000, connect })
  onTestFinished(() => engine.close())
  return {
    engine,
    path,
    connections: () => connections,
    failNext: (how: { readonly afterCommit: boolean }) => {
      failure = how
    },
    failOpening: (fails: boolean) => {
      isUnopenable = fails
    },
  }
}
