import { join } from 'node:path'
import Database from 'better-sqlite3'
import { aDirectory } from '../../store/support/places.js'

/** A ledger of effect-ledger with one operation, that can be changed as its own program would. */
export function anEffectLedger(state: Partial<Row> = {}): {
  readonly path: string
  readonly set: (row: Partial<Row>) => void
} {
  const path = join(aDirectory(), 'effects.db')
  withDatabase(path, db => {
    db.exec(`create table operations (
      scope text not null, operation_id text not null, effect text not null, request text not null,
      provider_key text not null, state text not null, attempt integer not null, version integer not null,
      result text, error text, created_at text, primary key (scope, operation_id))`)
    const row = { ...FIRST, ...state }
    const names = Object.keys(row)
    db.prepare(`insert into operations (${names.join()}) values (${names.map(() => '?').join()})`).run(
      ...Object.values(row),
    )
  })
  return {
    path,
    set: row =>
      withDatabase(path, db => {
        const sets = Object.keys(row).map(name => `${name} = ?`)
        db.prepare(`update operations set ${sets.join()}, version = version + 1`).run(...Object.values(row))
      }),
  }
}

interface Row {
  readonly scope: string
  readonly operation_id: string
  readonly effect: string
  readonly request: string
  readonly provider_key: string
  readonly state: string
  readonly attempt: number
  readonly version: number
  readonly result: string | null
  readonly error: string | null
  readonly created_at: string
}

const FIRST: Row = {
  scope: 'orders',
  operation_id: 'charge-1',
  effect: 'payments.charge',
  request: '{"cents":4200}',
  provider_key: 'k-1',
  state: 'in_flight',
  attempt: 1,
  version: 1,
  result: null,
  error: null,
  created_at: '2026-02-01T10:00:00.000000+00:00',
}

export const CHARGE = 'effect-ledger:orders/charge-1'

function withDatabase(path: string, work: (db: Database.Database) => void): void {
  const db = new Database(path)
  try {
    work(db)
  } finally {
    db.close()
  }
}
