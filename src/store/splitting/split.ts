import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import type { Engine } from '../engine.js'
import { rowCount } from '../moving/copy.js'
import { TABLES } from '../moving/tables.js'
import { partitionsIn } from '../postgres/layout.js'
import { opened } from '../postgres/open.js'
import { type PostgresPlace, placeOf } from '../postgres/place.js'
import { postgresEngine } from '../postgres/postgres.js'
import { timeOfCommit } from '../sql-store/clock.js'
import { appendLedgerEvent } from '../sql-store/events.js'
import { whichLedger } from '../which-ledger.js'
import { differencesIn, fillTables, type Progress, progressIn } from './fill.js'
import { SPLIT, shadowOf } from './names.js'
import { analyze, beginSplit, giveUp, swap } from './shadow.js'

export interface Splitting {
  readonly url: string
  readonly partitions: number
  readonly waitMs: number
  readonly clock: () => Stamp
  /** who does it, for the ledger's own chain */
  readonly actor: string
  /** looks, and writes nothing */
  readonly dryRun: boolean
  readonly onProgress?: (done: {
    readonly stage: 'copying' | 'comparing'
    readonly rows: number
    readonly of: number
  }) => void
  readonly signal?: AbortSignal
}

export interface Split {
  readonly ledger_id: string
  readonly place: string
  readonly rows: number
  /** false: it was a dry run, or it was done before */
  readonly done: boolean
  readonly was_there: boolean
}

/**
 * Splits the large tables of a ledger in PostgreSQL while agents go on writing it. New tables are filled beside the old
 * ones, which they follow commit by commit; once both are the same in one moment, one commit puts them in their place.
 * Run again after a kill it goes on where it was.
 * @throws LedgerError refused, conflict, ledger_damaged, busy, and as opening throws
 */
export function splitLedger(splitting: Splitting): Promise<Split> {
  const place = placeOf(splitting.url)
  return withWriter(place, splitting.waitMs, async engine => {
    const { ledger_id } = await whichLedger(engine, place.shown)
    const rows = await rowsOf(engine)
    const said = { ledger_id, place: place.shown, rows }
    const there = await engine.read(() => partitionsIn(place.schema))
    if (there === splitting.partitions) return { ...said, done: false, was_there: true }
    if (there !== null) throw isSplitOtherwise(place, there)
    const found = await engine.read(() => progressIn(place.schema))
    if (found !== null && found.partitions !== splitting.partitions) throw isUnderWay(place, found)
    if (splitting.dryRun) return { ...said, done: false, was_there: false }
    const begun = found ?? (await engine.write(() => beginSplit(place.schema, splitting.partitions)))
    await fillAndCompare(engine, { place, splitting, begun, rows })
    const clock = await engine.clockOn(splitting.clock)
    await engine.write(function* () {
      yield* swap(place.schema, splitting.partitions)
      const { stamp } = yield* timeOfCommit(clock)
      yield* appendLedgerEvent(
        { ledger_id, stamp },
        { about: null, type: 'split', actor: splitting.actor, body: { partitions: splitting.partitions } },
      )
    })
    return { ...said, done: true, was_there: false }
  })
}

/** Gives an unfinished split up. @throws LedgerError refused where none is under way */
export function giveSplitUp({ url, waitMs }: Pick<Splitting, 'url' | 'waitMs'>): Promise<Split> {
  const place = placeOf(url)
  return withWriter(place, waitMs, async engine => {
    const { ledger_id } = await whichLedger(engine, place.shown)
    if ((await engine.read(() => progressIn(place.schema))) === null)
      throw new LedgerError('refused', `${place.shown}: no split is under way`, {
        path: place.shown,
        rule: 'move_under_way',
      })
    await engine.write(() => giveUp(place.schema))
    return { ledger_id, place: place.shown, rows: await rowsOf(engine), done: true, was_there: false }
  })
}

interface Filling {
  readonly place: PostgresPlace
  readonly splitting: Splitting
  readonly begun: Progress
  readonly rows: number
}

async function fillAndCompare(engine: Engine, { place, splitting, begun, rows }: Filling): Promise<void> {
  const { onProgress, signal, waitMs } = splitting
  await fillTables(engine, place.schema, begun, {
    onRows: done => onProgress?.({ stage: 'copying', rows: done, of: rows }),
    ...(signal === undefined ? {} : { signal }),
  })
  await engine.write(() => analyze(place.schema))
  onProgress?.({ stage: 'comparing', rows, of: rows })
  // Reading has no time limit: of a hundred million rows it takes minutes.
  const reader = postgresEngine({ place, waitMs, for: 'reading' })
  try {
    const differences = await reader.read(() => differencesIn(place.schema))
    if (differences.length > 0)
      throw new LedgerError(
        'ledger_damaged',
        `${place.shown}: the new tables are not what the old ones are (${differences.join(', ')})`,
        {
          path: place.shown,
          hint: `The ledger is whole and in use. Give it up with --take-back, which removes ${shadowOf(place.schema)}, and begin again.`,
        },
      )
  } finally {
    await reader.close()
  }
}

async function withWriter<T>(
  place: PostgresPlace,
  waitMs: number,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(shadowOf(place.schema)) > 63)
    throw new LedgerError('usage', `${place.shown}: ${shadowOf(place.schema)} is too long for a name`, {
      path: place.shown,
      hint: 'Give the schema a shorter name first.',
    })
  return opened(place, waitMs, 'writing', async engine => {
    try {
      return await work(engine)
    } finally {
      await engine.close()
    }
  })
}

async function rowsOf(engine: Engine): Promise<number> {
  let rows = 0
  for (const table of TABLES)
    if (SPLIT[table.name] !== undefined) rows += await engine.read(() => rowCount(table))
  return rows
}

function isSplitOtherwise({ shown }: PostgresPlace, partitions: number): LedgerError {
  return new LedgerError('refused', `${shown} is split into ${partitions} partitions already`, {
    path: shown,
    rule: 'split_once',
    hint: 'Move it to a new schema to have another number: agent-ledger migrate --partitions n --to …',
  })
}

function isUnderWay({ shown }: PostgresPlace, { partitions }: Progress): LedgerError {
  return new LedgerError('refused', `${shown} is being split into ${partitions} partitions`, {
    path: shown,
    rule: 'split_once',
    hint: `Go on with --partitions ${partitions}, or give it up with --take-back.`,
  })
}
