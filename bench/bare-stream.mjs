// The bare loop beside `list --all --jsonl`: every row read and written as JSON, nothing else done to it.
import { once } from 'node:events'
import Database from 'better-sqlite3'

const database = new Database(process.argv[2], { readonly: true })
let chunk = ''
for (const row of database.prepare('select * from ledger_operation order by operation_id').iterate()) {
  chunk += `${JSON.stringify(row)}\n`
  if (chunk.length < 65_536) continue
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
  chunk = ''
}
process.stdout.write(chunk)
