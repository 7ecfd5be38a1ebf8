// The bare loop beside `list --all --jsonl` of a ledger in PostgreSQL: every row read through a cursor and written as
// JSON, nothing else done to it.
import { once } from 'node:events'
import pg from 'pg'

const PAGE = 1_000

const client = new pg.Client({ connectionString: process.argv[2] })
await client.connect()
await client.query('begin read only')
await client.query(
  'declare every no scroll cursor for select * from agent_ledger.ledger_operation order by operation_id',
)
for (;;) {
  const { rows } = await client.query(`fetch ${PAGE} from every`)
  if (rows.length === 0) break
  let chunk = ''
  for (const row of rows) chunk += `${JSON.stringify(row)}\n`
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}
await client.end()
