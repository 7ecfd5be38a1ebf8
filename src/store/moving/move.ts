import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import type { Engine, Sql } from '../engine.js'
import { query } from '../engine.js'
import { hasNoPartitions } from '../location.js'
import { timeOfCommit } from '../sql-store/clock.js'
import { appendLedgerEvent } from '../sql-store/events.js'
import type { Mark, Meta } from '../sql-store/meta.js'
import { refuseUnsound, refuseWhileAtWork } from './checks.js'
import { contentOf, copyTables, moveSequences, rowCount } from './copy.js'
import { fence, unfence } from './fence.js'
import { type End, endOf, isGoneTo, metaOf } from './place.js'
import { TABLES } from './tables.js'

export interface Moving {
  readonly from: string
  readonly to: string
  readonly waitMs: number
  readonly clock: () => Stamp
  /** the program and its version */
  readonly program: string
  /** PostgreSQL: how many partitions the large tables of the new place are split into; null: none */
  readonly partitions: number | null
  /** who moves it, for the ledger's own chain */
  readonly actor: string
  /** leases that have not lapsed are no reason to wait */
  readonly assumeStopped: boolean
  /** looks, and writes nothing */
  readonly dryRun: boolean
  readonly onProgress?: (done: Progress) => void
  readonly signal?: AbortSignal
}

export interface Progress {
  readonly stage: 'checking' | 'copying' | 'comparing'
  readonly rows: number
  readonly of: number
}

export interface Moved {
  readonly ledger_id: string
  readonly from: string
  readonly to: string
  readonly rows: number
  /** false: it was a dry run, or it was all there before */
  readonly done: boolean
  readonly was_there: boolean
}

/**
 * Moves a ledger to another place: every row of every table, with its numbers, ids and hashes. The source is fenced
 * first, so that nothing is written there from then on; the target is no ledger for anybody until all of it was compared
 * with the source and verified. Run again after a kill it goes on where it was.
 * @throws LedgerError refused, conflict, ledger_moved, ledger_damaged, and as opening throws
 */
export async function moveLedger(moving: Moving): Promise<Moved> {
  const { waitMs, dryRun } = moving
  const from = await endOf(moving.from, waitMs, moving)
  const to = await endOf(moving.to, waitMs, moving)
  if (moving.partitions !== null && to.schema === null) throw hasNoPartitions(to.shown)
  if (from.shown === to.shown)
    throw new LedgerError('usage', `${to.shown} is where the ledger is`, { path: to.shown })
  const source = await from.open(dryRun ? 'reading' : 'writing')
  try {
    return await moveFrom(source, { from, to, moving })
  } finally {
    await source.close()
  }
}

interface Ends {
  readonly from: End
  readonly to: End
  readonly moving: Moving
}

async function moveFrom(source: Engine, ends: Ends): Promise<Moved> {
  const { from, to, moving } = ends
  const meta = await metaOf(source, from)
  refuseElsewhere(meta, ends)
  const clock = await source.clockOn(moving.clock)
  const total = await rowsOf(source)
  const moved = { ledger_id: meta.ledger_id, from: from.shown, to: to.shown, rows: total }
  const standing = await standingOf(meta, to)
  if (standing === 'there') {
    if (meta.moved === null) throw isCopy(to)
    return { ...moved, done: false, was_there: true }
  }
  if (meta.moved === null) {
    moving.onProgress?.({ stage: 'checking', rows: 0, of: total })
    if (!moving.assumeStopped) await refuseWhileAtWork(source, from, clock().at)
    await refuseUnsound(source, from)
  }
  if (moving.dryRun) return { ...moved, done: false, was_there: false }
  if (standing === 'nothing') await makeTarget(meta, ends, clock())
  const target = await to.open('writing')
  try {
    if (meta.moved === null)
      await source.write(() => fence({ ...fencing(meta, ends, clock), schema: from.schema }, to.shown))
    await fill(source, target, ends)
    await target.write(() => arrive({ ...fencing(meta, ends, clock), schema: to.schema }, ends))
  } finally {
    await target.close()
  }
  return { ...moved, rows: await rowsOf(source), done: true, was_there: false }
}

function fencing({ ledger_id }: Meta, { moving: { actor } }: Ends, clock: () => Stamp) {
  return { ledger_id, clock, actor }
}

async function fill(source: Engine, target: Engine, { from, to, moving }: Ends): Promise<void> {
  const { onProgress, signal } = moving
  const total = await rowsOf(source)
  const mark = (await metaOf(target, to)).moved
  if (mark?.state !== 'arriving') throw isCopy(to)
  await copyTables({
    source,
    target,
    mark,
    onRows: rows => onProgress?.({ stage: 'copying', rows, of: total }),
    ...(signal === undefined ? {} : { signal }),
  })
  let rows = 0
  for (const table of TABLES) {
    signal?.throwIfAborted()
    const [ours, theirs] = [await contentOf(source, table), await contentOf(target, table)]
    if (ours.rows !== theirs.rows || ours.digest !== theirs.digest)
      throw new LedgerError(
        'ledger_damaged',
        `${to.shown}: ${table.name} is not what it is in ${from.shown} (${theirs.rows} rows, ${ours.rows} there)`,
        { path: to.shown, hint: 'Remove what is at the target and run it again; the source is whole.' },
      )
    rows += ours.rows
    onProgress?.({ stage: 'comparing', rows, of: total })
  }
  await refuseUnsound(target, to, from.schema !== null)
}

/** From this commit on the target is the ledger. What was prepared may be sent there: nothing else can send it. */
function* arrive(
  { ledger_id, clock, actor, schema }: Parameters<typeof fence>[0],
  { from, to }: Ends,
): Sql<void> {
  if (schema !== null) yield* moveSequences(schema)
  const meta = yield* query('select incarnation from ledger_meta where one = 1')
  const named = to.home()
  const home = typeof named === 'string' ? named : yield* named
  const { stamp } = yield* timeOfCommit(clock)
  const engine = from.schema === null ? 'sqlite' : 'postgresql'
  const body = { incarnation: Number(meta[0]?.cells[0]), home, from: from.shown, engine }
  yield* query('update ledger_meta set home = $1, moved = null where one = 1', [home])
  yield* appendLedgerEvent({ ledger_id, stamp }, { about: null, type: 'arrived', actor, body })
}

async function makeTarget(meta: Meta, { from, to }: Ends, now: Stamp): Promise<void> {
  const moved: Mark = { state: 'arriving', from: from.shown, table: null, after: null, rows: 0 }
  if (await to.make({ ...meta, moved }, now)) return
  throw new LedgerError('conflict', `${to.shown} was made by another program just now`, { path: to.shown })
}

/** What is at the target. @throws LedgerError refused for another ledger */
async function standingOf(meta: Meta, to: End): Promise<'nothing' | 'arriving' | 'there'> {
  if (!(await to.isThere())) return 'nothing'
  const engine = await to.open('reading')
  try {
    const there = await metaOf(engine, to)
    if (there.ledger_id !== meta.ledger_id)
      throw new LedgerError('refused', `${to.shown} holds another ledger (${there.ledger_id})`, {
        path: to.shown,
        rule: 'target_is_free',
        hint: 'Name a place where no ledger is: it is made by the move.',
      })
    if (there.moved?.state === 'gone')
      throw new LedgerError(
        'refused',
        `${to.shown} holds an older state of this ledger, from before it was moved away`,
        {
          path: to.shown,
          rule: 'target_is_free',
          hint: 'Name a new file or schema, or put that one aside first.',
        },
      )
    return there.moved === null ? 'there' : 'arriving'
  } finally {
    await engine.close()
  }
}

function refuseElsewhere({ moved }: Meta, { from, to }: Ends): void {
  if (moved === null || isGoneTo(moved, to)) return
  throw new LedgerError(
    'ledger_moved',
    moved.state === 'gone'
      ? `${from.shown} was moved to ${moved.to} before`
      : `${from.shown} is not whole yet: it is being filled from ${moved.from}`,
    { path: from.shown },
  )
}

function isCopy(to: End): LedgerError {
  return new LedgerError('refused', `${to.shown} holds a copy of this ledger that may be in use`, {
    path: to.shown,
    rule: 'target_is_free',
    hint: 'Name a place where no ledger is.',
  })
}

async function rowsOf(engine: Engine): Promise<number> {
  let rows = 0
  for (const table of TABLES) rows += await engine.read(() => rowCount(table))
  return rows
}

/**
 * Gives an unfinished move up: what was copied is marked as older than the source, and the source is written again.
 * @throws LedgerError refused where the target is whole, or cannot be asked
 */
export async function takeBack(moving: Moving): Promise<Moved> {
  const { waitMs } = moving
  const from = await endOf(moving.from, waitMs, moving)
  const to = await endOf(moving.to, waitMs, moving)
  const source = await from.open('writing')
  try {
    const meta = await metaOf(source, from)
    if (!isGoneTo(meta.moved, to))
      throw new LedgerError('refused', `${from.shown} was not moved to ${to.shown}`, {
        path: from.shown,
        rule: 'move_under_way',
      })
    await giveUpTarget(meta, from, to)
    const clock = await source.clockOn(moving.clock)
    await source.write(() =>
      unfence({ ledger_id: meta.ledger_id, clock, actor: moving.actor, schema: from.schema }),
    )
    const rows = await rowsOf(source)
    return { ledger_id: meta.ledger_id, from: from.shown, to: to.shown, rows, done: true, was_there: false }
  } finally {
    await source.close()
  }
}

async function giveUpTarget(meta: Meta, from: End, to: End): Promise<void> {
  if (!(await to.isThere())) return
  const target = await to.open('writing')
  try {
    const there = await metaOf(target, to)
    if (there.ledger_id !== meta.ledger_id) return
    if (there.moved === null)
      throw new LedgerError('refused', `${to.shown} is whole, and is the ledger now`, {
        path: to.shown,
        rule: 'move_under_way',
        hint: 'Move it back to a new place instead.',
      })
    const gone = JSON.stringify({ state: 'gone', to: from.shown })
    await target.write(() =>
      query('update ledger_meta set moved = $1 where one = 1 and moved is not null', [gone]),
    )
  } finally {
    await target.close()
  }
}
