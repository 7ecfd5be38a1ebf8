import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError, LedgerError } from '../../core/errors.js'
import { number } from '../cells.js'
import type { Engine, Row, Sql } from '../engine.js'
import type { Statement } from './cells.js'
import { serverClock } from './clock.js'
import { damages } from './damages.js'
import { explained, isCollision, isConnectionLost, isServerBusy, sqlState } from './errors.js'
import { guestWork } from './guest.js'
import type { PostgresPlace } from './place.js'
import { closedError, type Pool, poolOf, type Session } from './pool.js'
import { type Limits, settings } from './settings.js'
import { teller } from './telling.js'
import { driveOver, plain, sender, type Within } from './transaction.js'

/** A statement of a commit is given up after this: none of ours takes a tenth of a second on a sound server. */
const WRITING_STATEMENT_MS = 120_000
/** Beyond what the server allows itself: then it is gone. */
const UNANSWERED_MS = 15_000

export interface PostgresEngineOptions {
  readonly place: PostgresPlace
  /** how long to try where others hold a lock, or the server is away, before `busy` or `ledger_unwritable` */
  readonly waitMs: number
  readonly for: 'reading' | 'writing'
}

export interface PostgresEngine extends Engine {
  /** something stands between us and the server and shares its processes out */
  isPooled(): Promise<boolean>
}

/**
 * The engine of one schema of PostgreSQL. Each commit has a connection of its own, so that concurrent ones share the
 * server's write to the disk; a commit that another stood in the way of is done again from its beginning.
 */
export function postgresEngine(options: PostgresEngineOptions): PostgresEngine {
  const { place, waitMs } = options
  const isReader = options.for === 'reading'
  const limits: Limits = {
    statementMs: isReader ? 0 : WRITING_STATEMENT_MS,
    lockMs: Math.max(1, waitMs),
    canWalk: isReader,
  }
  const limitMs = isReader ? null : WRITING_STATEMENT_MS + UNANSWERED_MS
  const clock = serverClock()
  const pool = poolOf({ place, waitMs, greet })
  const telling = teller(place.schema)
  let isClosed = false
  let busy = 0
  let finished: (() => void) | null = null

  return {
    kind: 'postgresql',
    read: work => counted(() => read(work)),
    write: work => counted(() => (isReader ? Promise.reject(readOnly(place)) : write(work))),
    within: () => {
      throw wantsClient(place)
    },
    inside: (client, work) => guestWork({ client, place, work }),
    clockOn: machine => counted(() => onSession(session => clock.on(machine, () => timeOf(session)))),
    isPooled: () => counted(() => onSession(async ({ isPooled }) => isPooled)),
    damages: depth => counted(() => read(() => damages(place.schema, depth))),
    close,
  }

  async function greet(session: Session): Promise<void> {
    clock.forget()
    if (!session.isPooled) await sender(session, limitMs)([settings(limits, false)])
  }

  function withinOf({ isPooled }: Session): Within {
    return { schema: place.schema, keeps: !isPooled && !isReader }
  }

  function opening(session: Session, begin: string): Statement[] {
    return session.isPooled ? [plain(begin), settings(limits, true)] : [plain(begin)]
  }

  async function read<T>(work: () => Sql<T>): Promise<T> {
    const begin = 'begin isolation level repeatable read read only'
    return again('reading', async () => {
      const session = await taken(pool)
      const send = sender(session, limitMs)
      try {
        await clock.refresh(() => timeOf(session))
        const { value, unsent } = await driveOver(work(), {
          send,
          opening: opening(session, begin),
          within: withinOf(session),
        })
        // Nothing depends on how a reading ends: the caller goes on meanwhile.
        if (unsent.length > 0) pool.give(session)
        else void ended(session)
        return value
      } catch (error) {
        await ended(session, error)
        throw error
      }
    })
  }

  async function write<T>(work: () => Sql<T>): Promise<T> {
    const begin = 'begin isolation level read committed'
    return again('writing', async () => {
      const session = await taken(pool)
      const send = telling.noting(sender(session, limitMs))
      let isCommitting = false
      try {
        await clock.refresh(() => timeOf(session))
        const { value, unsent } = await driveOver(work(), {
          send,
          opening: opening(session, begin),
          within: withinOf(session),
        })
        isCommitting = true
        await send([...unsent, plain('commit')])
        if (telling.isDue()) telling.tell(send, () => pool.give(session))
        else pool.give(session)
        return value
      } catch (error) {
        await ended(session, error)
        throw isCommitting && isUnknown(error) ? commitUnknown(place, error) : error
      }
    })
  }

  /**
   * Repeats what certainly wrote nothing, in uneven steps, for as long as one waits for a lock. A collision is over when it
   * is told: what begins after it meets another one or none, so an attempt that began in time is followed by one more.
   */
  async function again<T>(doing: 'reading' | 'writing', attempt: () => Promise<T>): Promise<T> {
    const patience = AbortSignal.timeout(Math.max(1, waitMs))
    for (let tries = 1; ; tries++) {
      const isLate = patience.aborted
      try {
        return await attempt()
      } catch (error) {
        if (isLedgerError(error)) throw error
        const isPassing = isCollision(error) || isServerBusy(error) || isConnectionLost(error)
        if (!isPassing) throw explained(error, { place, doing, ...wroteNothing(doing) })
        const isSpent = isCollision(error) ? isLate || sqlState(error) === '55P03' : patience.aborted
        if (isClosed || isSpent) throw gaveUp(doing, error)
      }
      await sleep(pauseMs(tries))
    }
  }

  function gaveUp(doing: 'reading' | 'writing', error: unknown): unknown {
    if (!isCollision(error)) return explained(error, { place, doing, ...wroteNothing(doing) })
    return new LedgerError(
      'busy',
      `${place.shown}: others stood in the way for ${waitMs} ms; nothing was written (${sqlState(error)})`,
      { path: place.shown, cause: error, ...wroteNothing(doing) },
    )
  }

  async function onSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return again('reading', async () => {
      const session = await taken(pool)
      try {
        return await work(session)
      } catch (error) {
        if (isConnectionLost(error)) session.isUsable = false
        throw error
      } finally {
        pool.give(session)
      }
    })
  }

  async function timeOf(session: Session): Promise<number> {
    const text = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as at'
    const [rows] = await sender(session, limitMs)([plain(text)])
    return oneNumber(rows, 'at')
  }

  /** Ends a transaction without a trace; a connection that cannot even do that is of no use any more. */
  async function ended(session: Session, error?: unknown): Promise<void> {
    if (error !== undefined && isConnectionLost(error)) session.isUsable = false
    try {
      if (session.isUsable) await sender(session, limitMs)([plain('rollback')])
    } catch {
      session.isUsable = false
    }
    pool.give(session)
  }

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) throw closedError(place)
    busy += 1
    try {
      return await work()
    } finally {
      busy -= 1
      if (busy === 0) finished?.()
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    if (busy > 0)
      await new Promise<void>(resolve => {
        finished = resolve
      })
    await telling.told()
    await pool.close()
  }
}

function taken(pool: Pool): Promise<Session> {
  return pool.take()
}

function oneNumber(rows: readonly Row[] | undefined, column: string): number {
  const row = rows?.[0]
  if (row === undefined) throw new Error('a query without a table gives one row')
  return number(row, column)
}

/** The server said that it undid the transaction, or it said nothing: then only a look at the row tells. */
function isUnknown(error: unknown): boolean {
  const state = sqlState(error)
  return isConnectionLost(error) || state === '08007' || state === '40003'
}

function commitUnknown(place: PostgresPlace, cause: unknown): LedgerError {
  return new LedgerError(
    'ledger_unwritable',
    `${place.shown}: the connection was lost while committing, and it may have been written`,
    {
      path: place.shown,
      facts: { commit: 'unknown' },
      hint: 'Look at the operation before anything else.',
      cause,
    },
  )
}

/** What the layers above ask of a failed commit. */
function wroteNothing(doing: 'reading' | 'writing') {
  return doing === 'writing' ? { facts: { commit: 'none' } } : {}
}

function pauseMs(tries: number): number {
  return 2 + Math.random() * Math.min(200, 4 * 2 ** tries)
}

function readOnly({ shown }: PostgresPlace): LedgerError {
  return new LedgerError('ledger_unwritable', `${shown} was opened for reading`, {
    path: shown,
    hint: 'This is a bug: a reading command tried to write.',
    facts: { commit: 'none' },
  })
}

function wantsClient({ shown }: PostgresPlace): LedgerError {
  return new LedgerError('invalid_input', `the connection cannot write ${shown}: it is one of SQLite`, {
    path: shown,
    hint: 'Give a client of pg that has a transaction open on the database of the ledger.',
  })
}
