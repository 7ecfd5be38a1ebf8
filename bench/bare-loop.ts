import Database from 'better-sqlite3'

export interface BareLoop {
  /** one operation in its two commits */
  readonly one: () => void
  /** so many operations in one commit, to make the ledger large */
  readonly grow: (count: number) => void
  readonly close: () => void
}

/**
 * Writes again what one guarded operation left, under other ids, with nothing but prepared statements: the rows, the
 * indexes and the triggers are the same, and so is the chance in keys and digests.
 */
export function bareLoop(path: string, model: string): BareLoop {
  const database = new Database(path)
  database.pragma('synchronous = full')
  database.pragma('recursive_triggers = on')
  database.pragma('foreign_keys = on')
  const insertion = insertionsLike(database, model)
  const operation = insertion('ledger_operation', 'operation_id', IN_FLIGHT)
  const attempt = insertion('ledger_attempt', 'operation_id', { ended_at: 'null', end: 'null' })
  const evidence = insertion('ledger_evidence', 'operation_id')
  const event = (n: number) => insertion('ledger_event', 'subject_id', { n: String(n) })
  const [prepared, sent, confirmed] = [event(1), event(2), event(3)]
  const settle = database.prepare(
    `update ledger_operation
     set status = 'confirmed', may_have_applied = 1, settled_at = 2, settled_by = 'receipt', evidence_count = 1,
       evidence_head = randomblob(32), result = '{"id":1}', result_digest = randomblob(32), version = 3, updated_at = 2,
       lease_owner = null, lease_expires_at = null, lease_boot_id = null, lease_boot_ms = null
     where operation_id = ? and version = 2 and status = 'in_flight'`,
  )
  const end = database.prepare(
    'update ledger_attempt set ended_at = 2, "end" = \'applied\' where operation_id = ? and n = 1',
  )
  let next = 0
  const announce = (id: string) => {
    operation(id)
    attempt(id)
    prepared(id)
    sent(id)
  }
  const record = (id: string) => {
    settle.run(id)
    end.run(id)
    evidence(id)
    confirmed(id)
  }
  return {
    one: () => {
      const id = `bare ${next++}`
      database.exec('begin immediate')
      announce(id)
      database.exec('commit')
      database.exec('begin immediate')
      record(id)
      database.exec('commit')
    },
    grow: count => {
      database.exec('begin immediate')
      for (let i = 0; i < count; i++) {
        const id = `bare ${next++}`
        announce(id)
        record(id)
      }
      database.exec('commit')
    },
    close: () => database.close(),
  }
}

type Own = Readonly<Record<string, string>>

/** Columns of an operation that is in flight, where those of the settled model say otherwise. */
const IN_FLIGHT: Own = {
  idempotency_key: "'al-' || lower(hex(randomblob(12)))",
  input_digest: 'randomblob(32)',
  status: "'in_flight'",
  may_have_applied: '0',
  result: 'null',
  result_digest: 'null',
  settled_at: 'null',
  settled_by: 'null',
  evidence_count: '0',
  evidence_head: 'null',
  version: '2',
  lease_owner: "'bench'",
  lease_expires_at: '1',
  lease_boot_id: "'boot'",
  lease_boot_ms: '1',
}

/** Inserts a copy of the model's row with an id of its own; `own` columns are SQL. */
function insertionsLike(database: Database.Database, model: string) {
  return (table: string, idColumn: string, own: Own = {}) => {
    const where = `${idColumn} = @model${own.n === undefined ? '' : ` and n = ${own.n}`}`
    const row = database
      .prepare<[object], Record<string, unknown>>(`select * from ${table} where ${where}`)
      .get({ model })
    if (row === undefined) throw new Error(`${table} has no row of ${model}`)
    const columns = database
      .prepare<[string], string>("select name from pragma_table_xinfo(?) where hidden = 0 and name <> 'seq'")
      .pluck()
      .all(table)
    const given = columns.filter(name => name !== idColumn && own[name] === undefined)
    const marks = columns.map(name => (name === idColumn ? '@id' : (own[name] ?? '?')))
    const list = columns.map(name => `"${name}"`).join(', ')
    const statement = database.prepare(`insert into ${table} (${list}) values (${marks.join(', ')})`)
    const values = given.map(name => row[name])
    return (id: string) => statement.run(values, { id })
  }
}
