import { LedgerError } from '../../core/errors.js'
import { text } from '../cells.js'
import { changesRow, placesOf, query, type Row, type Sql } from '../engine.js'
import type { GuestClient } from '../guest-port.js'
import { parserOf, type Statement } from './cells.js'
import { sqlState } from './errors.js'
import type { PostgresPlace } from './place.js'
import { driveOver, plain, type Send } from './transaction.js'

interface Guest<T> {
  readonly client: GuestClient
  readonly place: PostgresPlace
  readonly work: () => Sql<T>
}

/**
 * Runs work inside the transaction that the application holds open on its own client: durable with its rows, or undone
 * with them. A savepoint around it leaves the application's own work whole where ours fails.
 * @throws LedgerError invalid_input for a client that is in no transaction, or on another database
 */
export async function guestWork<T>({ client, place, work }: Guest<T>): Promise<T> {
  const send = sendBy(client)
  const within = { schema: place.schema, keeps: false }
  try {
    await send([plain('savepoint agent_ledger')])
  } catch (error) {
    if (sqlState(error) === '25P01')
      throw unfit(place, 'no transaction is open on it', 'Call it between begin and commit of that client.')
    if (sqlState(error) === '25P02')
      throw unfit(place, 'its transaction failed already', 'Roll it back and begin again.')
    throw error
  }
  try {
    await refuseOther(send, place)
    const { value, unsent } = await driveOver(work(), { send, opening: [], within })
    await send([...unsent, plain('release savepoint agent_ledger')])
    return value
  } catch (error) {
    await send([plain('rollback to savepoint agent_ledger'), plain('release savepoint agent_ledger')]).catch(
      () => undefined,
    )
    throw error
  }
}

/** The tables are looked for in the guest's database, and its commit has to be as safe as ours. */
async function refuseOther(send: Send, place: PostgresPlace): Promise<void> {
  const within = { schema: place.schema, keeps: false }
  try {
    const { value } = await driveOver(
      (function* (): Sql<string> {
        const [row] = yield* query(
          `select current_setting('synchronous_commit') as sync
           from ledger_meta
           where one = 1`,
        )
        return row === undefined ? '' : text(row, 'sync')
      })(),
      { send, opening: [], within },
    )
    if (value === 'off')
      throw unfit(
        place,
        'its synchronous_commit is off',
        'Set it before the commit: set local synchronous_commit = on.',
      )
  } catch (error) {
    if (!['42P01', '3F000'].includes(sqlState(error) ?? '')) throw error
    throw unfit(
      place,
      `it is on a database without the schema ${place.schema}`,
      'Keep your tables in the database of the ledger.',
    )
  }
}

function sendBy(client: GuestClient): Send {
  return async statements => {
    const answers: (readonly Row[])[] = []
    for (const statement of statements) answers.push(await answered(client, statement))
    return answers
  }
}

/** Cells as the server wrote them: what the application made its driver do with types is not ours. */
const AS_TEXT = { getTypeParser: () => (field: string | Uint8Array) => field }

async function answered(client: GuestClient, { text, values }: Statement): Promise<readonly Row[]> {
  const { rows, fields, rowCount } = await client.query({
    text,
    values: [...values],
    rowMode: 'array',
    types: AS_TEXT,
  })
  if (fields.length === 0) return [changesRow(rowCount ?? 0)]
  const places = placesOf(fields.map(({ name }) => name))
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
  return rows.map(row => ({
    cells: Object.values(row).map((cell, n) => (typeof cell === 'string' ? parsers[n]?.(cell) : cell)),
    places,
  }))
}

function unfit({ shown }: PostgresPlace, what: string, hint: string): LedgerError {
  return new LedgerError('invalid_input', `the client cannot write ${shown}: ${what}`, { path: shown, hint })
}
