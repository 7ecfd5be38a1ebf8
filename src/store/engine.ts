import type { Stamp } from '../core/time.js'
import type { GuestClient, GuestConnection } from './guest-port.js'

/**
 * What a database engine must do, and nothing else. All SQL is written once, as generators that yield
 * queries and are handed the rows (docs/decisions/0003-sql-as-generators.md): an engine drives them,
 * SQLite without leaving the stack, PostgreSQL with an await at each step.
 */
export interface Engine {
  readonly kind: 'sqlite' | 'postgresql'
  /** One snapshot. The generator may be started again from the beginning: it must have no other effect. */
  read<T>(work: () => Sql<T>): Promise<T>
  /**
   * One durable commit, perhaps shared with other callers of this process: each caller's work runs in a
   * savepoint and sees what the members before it wrote; a throw undoes and rejects that member alone.
   * Settles only after COMMIT returned. Rejects with `busy` (nothing written) when the lock was not to be
   * had in time, and with `ledger_unwritable` when the commit failed: facts.commit is then `none`
   * (certainly nothing was written) or `unknown` (read the row again before doing anything).
   * `isLong`: it may take minutes, and has a commit of its own: where it yields a turn, signals and timers are seen to,
   * and the reads of this engine wait until it ends.
   */
  write<T>(work: () => Sql<T>, how?: { readonly isLong?: boolean }): Promise<T>
  /**
   * Calls back whenever what its own commits left may be otherwise now: another connection wrote, a commit failed, work
   * was undone. Left out by an engine that cannot tell.
   */
  readonly onDoubt?: (doubted: () => void) => void
  /** Runs work inside a transaction that a guest holds open on this database. Throws invalid_input for any other. */
  within<T>(connection: GuestConnection, work: () => Sql<T>): T
  /** The same where the guest's driver answers later. Rejects with invalid_input where `within` throws it. */
  inside<T>(client: GuestClient, work: () => Sql<T>): Promise<T>
  /** The clock that counts for what is written here: the machine's own, or the database's where many machines write. */
  clockOn(machine: () => Stamp): Promise<() => Stamp>
  /**
   * What the database itself finds wrong with its files, reading all of them: `quick` the pages, `whole` also
   * whether each index agrees with its table (an entry lost there hides a row from lists).
   */
  damages(depth: 'quick' | 'whole'): Promise<readonly string[]>
  /** Finishes what was begun, then lets go of the database. */
  close(): Promise<void>
}

/** Whole numbers beyond 2^53 travel as text; a value that is not there is null, never undefined. */
export type Param = string | number | bigint | boolean | Uint8Array | null

export interface Query {
  /** lower case, placeholders `$1`..`$n`, each used at least once */
  readonly text: string
  readonly params: readonly Param[]
}

/** The cells of one row in the order of its columns, and the place of each column by name: cells.ts reads them. */
export interface Row {
  readonly cells: readonly unknown[]
  readonly places: Places
}

/** Made once for each query: a row as an object with seventy names takes twice the time. */
export type Places = ReadonlyMap<string, number>

export function placesOf(columns: readonly string[]): Places {
  return new Map(columns.map((column, place) => [column, place]))
}

/**
 * A piece of work on the database that yields its queries and ends with a value. A query that gives no rows is
 * answered with one row, whose column is `changes`. A list of queries is run in order and answered for the last: one step
 * instead of many, and over a network one journey.
 */
export type Sql<T> = Generator<Step, T, readonly Row[]>

export type Step = Query | readonly Query[] | Locks | Later | Turn

/**
 * What the rest of the commit rests on and nobody else may change until it ends. A commit to SQLite has the whole file
 * to itself; elsewhere each name is locked, in this order, before the next query is answered.
 */
export interface Locks {
  readonly locks: readonly Lockable[]
}

export type Lockable =
  | {
      /** an operation by its id, the ledger's own chain, a retry quota, a target, a write that must not be there twice */
      readonly kind: 'operation' | 'ledger' | 'quota' | 'target' | 'write'
      readonly name: string
    }
  | {
      readonly kind: 'task'
      /** null: that of the operation */
      readonly task_id: string | null
      readonly operation_id: string | null
      /** `share`: it must stay as it is; `update`: this commit changes it */
      readonly as: 'share' | 'update'
    }

/** Queries whose answers nobody waits for: done before the next one that is answered, and before the commit. */
export interface Later {
  readonly later: readonly Query[]
}

/** A turn of the event loop, in a commit that is long. */
export interface Turn {
  readonly turn: true
}

export function* turn(): Sql<void> {
  yield { turn: true }
}

export function* lock(...locks: readonly Lockable[]): Sql<void> {
  yield { locks }
}

/**
 * Takes a task for this commit alone: whoever changes one of its operations holds the task as it is, and so is waited for.
 * A commit of many thousand operations cannot lock each by its name: a server has room for some thousand such locks.
 */
export function* lockTask(of: { readonly task_id: string; readonly operation_id: string | null }): Sql<void> {
  yield* lock({ kind: 'task', ...of, as: 'update' })
}

export function* later(queries: readonly Query[]): Sql<void> {
  if (queries.length > 0) yield { later: queries }
}

/** One query: `const rows = yield* query('select ...', [id])`. */
export function* query(text: string, params: readonly Param[] = []): Sql<readonly Row[]> {
  return yield { text, params }
}

/** How many rows a query without rows of its own changed. `returning` would say it too, at 30 times the price. */
export function changesOf(rows: readonly Row[]): number {
  return Number(rows[0]?.cells[0] ?? 0)
}

/** The answer to a query without rows of its own. */
export function changesRow(changes: number): Row {
  return { cells: [changes], places: CHANGES }
}

const CHANGES = placesOf(['changes'])

/** Runs SQL against a driver that answers at once. An error of the driver is thrown into the generator. */
export function drive<T>(sql: Sql<T>, answer: Answer): T {
  let step = sql.next()
  while (!step.done) step = advance(sql, step.value, answer)
  return step.value
}

/** The same, with a turn of the event loop wherever the work yields one. */
export async function driveInTurns<T>(
  sql: Sql<T>,
  { answer, nextTurn }: { readonly answer: Answer; readonly nextTurn: () => Promise<unknown> },
): Promise<T> {
  let step = sql.next()
  while (!step.done) {
    if ('turn' in step.value) await nextTurn()
    step = advance(sql, step.value, answer)
  }
  return step.value
}

export type Answer = (query: Query) => readonly Row[]

function advance<T>(sql: Sql<T>, asked: Step, answer: Answer) {
  let rows: readonly Row[] = []
  try {
    if ('text' in asked) rows = answer(asked)
    else if ('later' in asked) for (const one of asked.later) answer(one)
    else if (!('locks' in asked || 'turn' in asked)) for (const one of asked) rows = answer(one)
  } catch (error) {
    return sql.throw(error)
  }
  return sql.next(rows)
}
