import { openLedger } from '../src/index.js'
import { OPERATIONS } from '../src/store/columns.js'
import { withClient } from '../test/postgres/server.js'
import { done, fewIn, runOne } from './ledgers.js'

const MODEL = 'to be copied'

/** The few operations of `ledgerOf`, and settled copies of one of them up to `size`. */
export async function postgresLedgerOf(url: string, size: number): Promise<void> {
  const ledger = await openLedger(url, { onWarning: () => {} })
  await fewIn(ledger)
  await ledger.close()
  await growPostgres(url, size - 151)
}

/** One settled operation for the copies to be made of. */
export async function growPostgresFrom(url: string, copies: number): Promise<void> {
  const ledger = await openLedger(url, { onWarning: () => {} })
  await runOne(ledger, MODEL, 'task 0', () => done(0))
  await ledger.close()
  await growPostgres(url, copies)
}

/** Past the triggers, which ask each row for its events; indexes are made again at the end, which is faster. */
async function growPostgres(url: string, copies: number): Promise<void> {
  const own: Readonly<Record<string, string>> = {
    operation_id: `'settled-' || lpad(n::text, 8, '0')`,
    idempotency_key: `'al-' || lpad(n::text, 8, '0')`,
    created_at: 'created_at + n',
  }
  const names = [...OPERATIONS.columns.map(({ quoted }) => quoted), 'evidence_head', 'incarnation']
  await withClient(url.replace(/&connections=\d+/, ''), async client => {
    await client.query('set search_path = agent_ledger; set session_replication_role = replica')
    const { rows } = await client.query<{ readonly name: string; readonly made: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
       from pg_index as i
       where i.indrelid = 'ledger_operation'::regclass
         and not exists (select 1 from pg_constraint as c where c.conindid = i.indexrelid)
       order by name`,
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    await client.query(
      `insert into ledger_operation (${names.join(', ')})
       select ${names.map(name => own[name] ?? name).join(', ')}
       from ledger_operation, generate_series(1, ${copies}) as n
       where operation_id = '${MODEL}'`,
    )
    for (const { made } of rows) await client.query(made)
    await client.query('vacuum analyze')
  })
}
