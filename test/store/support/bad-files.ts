import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { aLedger, tamper } from './ledgers.js'

interface BadFile {
  readonly it: string
  readonly code: string
  readonly says: RegExp
  readonly make: (path: string) => void
}

/** What may lie where a ledger is looked for, and the refusal. */
export const BAD_FILES: readonly BadFile[] = [
  { it: 'is not there', code: 'ledger_missing', says: /there is no ledger at/, make: () => undefined },
  { it: 'is a directory', code: 'not_a_ledger', says: /is a directory/, make: path => mkdirSync(path) },
  {
    it: 'is a named pipe',
    code: 'not_a_ledger',
    says: /is a named pipe/,
    make: path => execFileSync('mkfifo', [path]),
  },
  { it: 'is empty', code: 'not_a_ledger', says: /the file is empty/, make: path => writeFileSync(path, '') },
  {
    it: 'is text',
    code: 'not_a_ledger',
    says: /not an SQLite database/,
    make: path => writeFileSync(path, '{"ledger": true}\n'.repeat(100)),
  },
  {
    it: 'ends inside its header',
    code: 'ledger_damaged',
    says: /ends inside its header \(60 bytes\)/,
    make: path => writeFileSync(path, readFileSync(closedLedger()).subarray(0, 60)),
  },
  {
    it: "is another program's SQLite database",
    code: 'not_a_ledger',
    says: /belongs to another program/,
    make: path => tamper(path, 'create table checkpoints (thread_id text); pragma journal_mode = wal'),
  },
  {
    it: "carries another program's mark",
    code: 'not_a_ledger',
    says: /application id 0xf055112/,
    make: path => tamper(path, 'pragma application_id = 252006674; create table event (id integer)'),
  },
  {
    it: 'has a newer schema',
    code: 'ledger_newer',
    says: /has schema 99; this program knows up to/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'pragma user_version = 99')
    },
  },
  {
    it: 'lost its end',
    code: 'ledger_damaged',
    says: /the end is missing/,
    make: path => {
      copyFileSync(closedLedger(), path)
      truncateSync(path, statSync(path).size - 4096)
    },
  },
  {
    it: 'has a flipped bit where its schema stands',
    code: 'ledger_damaged',
    says: /damaged|changed by another program/,
    make: path => {
      const bytes = readFileSync(closedLedger())
      const at = bytes.indexOf('CREATE TABLE ledger_event') + 'CREATE TABLE '.length
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x01, at)
      writeFileSync(path, bytes)
    },
  },
  {
    it: 'has a page of another file in it',
    code: 'ledger_damaged',
    says: /damaged/,
    make: path => {
      const bytes = readFileSync(closedLedger())
      bytes.fill(0x5a, 100, 4096)
      writeFileSync(path, bytes)
    },
  },
  {
    it: 'has a trigger more',
    code: 'ledger_damaged',
    says: /the trigger "quiet" is not of a ledger/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'create trigger quiet after insert on ledger_event begin delete from ledger_task; end')
    },
  },
  {
    it: 'has a view in place of a table',
    code: 'ledger_damaged',
    says: /the view "ledger_note" is not of a ledger/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(
        path,
        `drop table ledger_note;
         create view ledger_note as
         with recursive endless (n) as (select 1 union all select n + 1 from endless) select n from endless`,
      )
    },
  },
  {
    it: 'lost the trigger that keeps events as they are',
    code: 'ledger_damaged',
    says: /the trigger "ledger_event_update" is missing/,
    make: path => {
      copyFileSync(closedLedger(), path)
      tamper(path, 'drop trigger ledger_event_update')
    },
  },
]

function closedLedger(): string {
  return aLedger().path
}
