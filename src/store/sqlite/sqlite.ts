import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import type { Engine, Sql } from '../engine.js'
import type { GuestConnection } from '../guest-port.js'
import { explained, isDiskError, isFaultBelow } from './errors.js'
import { guestDatabase, noClient } from './guest.js'
import { refuseOutOfPlace } from './in-place.js'
import { control, damages, dataVersion, runSql, runSqlInTurns, snapshot, writeBack } from './run.js'
import { untilFree } from './wait.js'

/** Members beyond this wait for the next commit: the lock is not held for long, and others get their turn. */
const LARGEST_COMMIT = 128

export interface SqliteEngineOptions {
  /** absolute: a program may change its working directory */
  readonly path: string
  /** how long to wait for the lock before `busy` */
  readonly waitMs: number
  /** opens and checks a connection; called again after a failed commit made the last one useless */
  readonly connect: () => Promise<Connection>
}

export interface Connection {
  readonly database: Database
  /** the file it has open, as in-place.ts names it */
  readonly file: string
  readonly close: () => void
}

/** The engine of one SQLite file. Concurrent writers of this process share a commit, and with it its fsync. */
export async function sqliteEngine(options: SqliteEngineOptions): Promise<Engine> {
  const { path } = options
  let connection: Connection | null = await options.connect()
  const { file } = connection
  const queue: Member[] = []
  let committing: Promise<void> | null = null
  let isClosed = false
  // the commit that is being made; null between two
  let commit: Promise<void> | null = null
  // After a COMMIT that the disk failed: what it wrote can be read and need not be on the disk.
  let isLogDoubtful = false
  let doubted = () => {}
  // What the connection said at its last commit: another one wrote since if it says something else now.
  let seenVersion: number | null = null

  return {
    kind: 'sqlite',
    read,
    write,
    within,
    inside: () => Promise.reject(noClient(path)),
    clockOn: async machine => machine,
    onDoubt,
    damages: depth => read(() => damages(depth)),
    close,
  }

  async function read<T>(work: () => Sql<T>): Promise<T> {
    let { database } = await opened()
    // A commit that was begun has the connection to itself until it ends; a long one gives turns meanwhile.
    while (commit !== null && database.inTransaction) {
      await commit
      ;({ database } = await opened())
    }
    try {
      return await untilFree(options, () => snapshot(database, work))
    } catch (error) {
      throw explained(error, { path, doing: 'reading' })
    }
  }

  function write<T>(work: () => Sql<T>, { isLong = false } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (isClosed) return reject(closedError(path))
      queue.push(member(work, { isLong, resolve, reject }))
      committing ??= commitQueue()
    })
  }

  function within<T>(guest: GuestConnection, work: () => Sql<T>): T {
    return runSql(guestDatabase(guest, path), work())
  }

  async function close(): Promise<void> {
    isClosed = true
    while (committing) await committing
    connection?.close()
    connection = null
  }

  /** Runs until the queue is empty: one commit per turn of the event loop. */
  async function commitQueue(): Promise<void> {
    await nextTurn()
    while (queue.length > 0) {
      commit = commitOnce()
      await commit
      commit = null
      await nextTurn()
    }
    committing = null
  }

  async function commitOnce(): Promise<void> {
    let database: Database
    try {
      database = (await opened()).database
      if (isLogDoubtful) await untilFree(options, () => writeBack(database))
      isLogDoubtful = false
      await untilFree(options, () => control(database, 'begin immediate'))
      const version = dataVersion(database)
      if (version !== seenVersion) doubted()
      seenVersion = version
    } catch (error) {
      const told = explained(error, { path, doing: 'writing', facts: { commit: 'none' } })
      if (isFaultBelow(error)) drop()
      for (const waiting of queue.splice(0)) waiting.reject(told)
      return
    }
    const members = queue.splice(0, membersOf(queue))
    try {
      const [first] = members
      const ran = first?.isLong ? await runLong(database, first) : undefined
      const came = commitTogether(database, members, { path, doubted, ran })
      if (came === 'log_doubtful') isLogDoubtful = true
      if (came !== 'done') drop()
    } catch (error) {
      // Not even the undoing of one member worked: nobody may be left waiting, and nothing was committed.
      for (const one of members)
        one.reject(explained(error, { path, doing: 'writing', facts: { commit: 'none' } }))
      drop()
    }
  }

  async function opened(): Promise<Connection> {
    if (!connection && isClosed) throw closedError(path)
    refuseOutOfPlace(path, file)
    connection ??= await options.connect()
    return connection
  }

  function onDoubt(called: () => void): void {
    doubted = called
  }

  function drop(): void {
    doubted()
    seenVersion = null
    const lost = connection
    connection = null
    try {
      lost?.close()
    } catch {
      // the file is gone or the disk is: the next use opens it anew and says so
    }
  }
}

interface Member {
  readonly isLong: boolean
  /** runs the work and keeps its end for later: nobody goes on before COMMIT returned */
  readonly run: (database: Database) => void
  readonly runInTurns: (database: Database) => Promise<void>
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

interface Settling<T> {
  readonly isLong: boolean
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function member<T>(work: () => Sql<T>, { isLong, resolve, reject }: Settling<T>): Member {
  let settle = () => reject(new Error('a member of a commit was settled before it ran'))
  const keep = (value: T) => {
    settle = () => resolve(value)
  }
  return {
    isLong,
    run: database => keep(runSql(database, work())),
    runInTurns: async database => keep(await runSqlInTurns(database, work())),
    settle: () => settle(),
    reject,
  }
}

/** How many of the queue share the next commit: a long one has it to itself. */
function membersOf(queue: readonly Member[]): number {
  const long = queue.findIndex(({ isLong }) => isLong)
  return long === -1 ? LARGEST_COMMIT : Math.min(LARGEST_COMMIT, Math.max(1, long))
}

interface Committing {
  readonly path: string
  readonly doubted: () => void
  /** what became of a long one, which ran already */
  readonly ran: Ran | undefined
}

/** Every member in its savepoint, then COMMIT; settles them all. The transaction is open already. */
function commitTogether(
  database: Database,
  members: readonly Member[],
  { path, doubted, ran }: Committing,
): 'done' | 'connection_lost' | 'log_doubtful' {
  const written: Member[] = []
  const run = members.length === 1 ? runAlone : runInSavepoint
  for (const each of members) {
    const failure = ran === undefined ? run(database, each) : ran
    if (failure) doubted()
    if (!failure) {
      written.push(each)
    } else if (database.inTransaction && !isFaultBelow(failure.error)) {
      each.reject(explained(failure.error, { path, doing: 'writing', facts: { commit: 'none' } }))
    } else {
      // A full disk or an I/O error rolls the whole transaction back: no COMMIT was tried for anyone.
      const facts = { commit: 'none' }
      for (const one of members) one.reject(explained(failure.error, { path, doing: 'writing', facts }))
      return 'connection_lost'
    }
  }
  try {
    control(database, written.length > 0 ? 'commit' : 'rollback')
  } catch (error) {
    doubted()
    // Seen on real disks and in tests: fsync fails, and a fresh process finds the row there all the same.
    const facts = { commit: 'unknown' }
    for (const one of written)
      one.reject(commitUnknown(explained(error, { path, doing: 'writing', facts }), path))
    return isDiskError(error) ? 'log_doubtful' : 'connection_lost'
  }
  for (const one of written) one.settle()
  return 'done'
}

type Ran = { readonly error: unknown } | null

async function runLong(database: Database, { runInTurns }: Member): Promise<Ran> {
  try {
    await runInTurns(database)
    return null
  } catch (error) {
    return { error }
  }
}

/** A member alone in its commit is undone with it. */
function runAlone(database: Database, each: Member): Ran {
  try {
    each.run(database)
    return null
  } catch (error) {
    return { error }
  }
}

function runInSavepoint(database: Database, each: Member): Ran {
  control(database, 'savepoint member')
  try {
    each.run(database)
    control(database, 'release member')
    return null
  } catch (error) {
    if (database.inTransaction) {
      control(database, 'rollback to member')
      control(database, 'release member')
    }
    return { error }
  }
}

function commitUnknown(error: unknown, path: string): unknown {
  if (error instanceof LedgerError) return error
  return new LedgerError('ledger_unwritable', `${path}: the commit failed, and it may have been written`, {
    path,
    facts: { commit: 'unknown' },
    cause: error,
  })
}

function closedError(path: string): LedgerError {
  return new LedgerError('ledger_unwritable', `${path} was closed by this program`, {
    path,
    hint: 'Open the ledger again.',
    facts: { commit: 'none', closed: true },
  })
}
