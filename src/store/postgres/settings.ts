import type { Statement } from './cells.js'

/** What every transaction of ours rests on, each with its reason. */
export interface Limits {
  /** a statement is given up after this, milliseconds; 0 = never */
  readonly statementMs: number
  /** and this is the longest wait for a lock; 0 = none */
  readonly lockMs: number
  /** whether a table may be read from end to end: not by a commit */
  readonly canWalk: boolean
}

/**
 * Sets them for the session, or for one transaction where another process of the server may answer the next. A server or
 * a role may have other defaults; those that are safer than ours stay.
 */
export function settings({ statementMs, lockMs, canWalk }: Limits, isLocal: boolean): Statement {
  const wanted: readonly (readonly [string, string])[] = [
    // off: a commit is answered before it is on the disk
    [
      'synchronous_commit',
      "case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end",
    ],
    // nobody's function or operator stands in front of the server's own
    ['search_path', "'pg_catalog, pg_temp'"],
    // a policy that hides rows fails a statement instead of giving a wrong answer
    ['row_security', "'off'"],
    ['client_encoding', "'UTF8'"],
    ['bytea_output', "'hex'"],
    ['extra_float_digits', "'1'"],
    // compiling costs more than any statement of ours takes
    ['jit', "'off'"],
    // Of a statement kept by name the server knows no values: where rows are much alike it takes all of them for a match,
    // and a walk to the first one for cheap. A commit finds what it reads by an index, or waits for all of history.
    ['enable_seqscan', canWalk ? "current_setting('enable_seqscan')" : "'off'"],
    ['statement_timeout', `'${statementMs}'`],
    ['lock_timeout', `'${lockMs}'`],
    // a client that is gone must not hold locks until its connection is found dead
    ['idle_in_transaction_session_timeout', "'60000'"],
  ]
  const calls = wanted.map(([name, value]) => `set_config('${name}', ${value}, ${isLocal})`)
  return { text: `select ${calls.join(', ')}`, values: [], isKept: false }
}
