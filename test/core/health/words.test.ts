import { describe, expect, it } from 'vitest'
import { examineHealth } from '../../../src/core/health/checks.js'
import type { HealthFacts } from '../../../src/core/health/facts.js'
import { NOON, stampAt } from '../builders.js'
import { aFile, anInside, aServer, facts, MB } from './builders.js'

const PROBLEM = { code: 'ledger_missing', message: 'no ledger', hint: 'make one', exit_code: 3 } as const
const HOUR = 3_600_000

/** What a check says of these facts, and what it advises. */
const SAID: readonly (readonly [string, Partial<HealthFacts>, string, string | null])[] = [
  ['node', {}, 'version 20.20.2', null],
  ['node', { node: '18.0.0' }, 'version 18.0.0 is too old', 'Install Node.js 20.19 or newer.'],
  ['sqlite', {}, 'version 3.53.2', null],
  [
    'sqlite',
    { sqlite: '3.51.2' },
    'version 3.51.2 can corrupt a ledger',
    'Install better-sqlite3 12.11.1 or newer.',
  ],
  ['config', {}, 'none; tools without one count as unsafe to repeat', null],
  ['config', { config: { path: '/a.yaml', problem: null } }, '/a.yaml', null],
  ['config', { config: { path: '/a.yaml', problem: PROBLEM } }, 'no ledger', 'make one'],
  ['actor', {}, 'git:ana@example.com', null],
  [
    'actor',
    { actor: 'os:root' },
    'os:root',
    'Name yourself with --by, AGENT_LEDGER_BY, `identity:` or git config user.email.',
  ],
  ['boot_clock', {}, 'wall time is checked against the clock since boot', null],
  [
    'boot_clock',
    { now: { at: NOON, boot_id: '', boot_ms: 0 } },
    'this system names no boot',
    'Leases and waiting times rest on the wall clock alone: keep it synchronised.',
  ],
  ['ledger', {}, '/l.db (l-1)', null],
  ['ledger', { inside: null }, '/l.db', null],
  ['ledger', { location: null, inside: null }, 'none', null],
  ['ledger', { problem: PROBLEM }, 'no ledger', 'make one'],
  ['filesystem', {}, 'type 0xef53', null],
  [
    'filesystem',
    { file: aFile({ filesystem: { type: null, unsafe: 'NFS' } }) },
    'it is on NFS',
    'Move the ledger to a local disk or a named volume, and name it with --ledger.',
  ],
  [
    'filesystem',
    { file: aFile({ filesystem: { type: null, unsafe: null } }) },
    'the system does not say which one it is',
    'Keep the ledger on a local disk.',
  ],
  ['permissions', {}, 'only its owner (mode 0600)', null],
  [
    'permissions',
    { file: aFile({ directory_mode: 0o40777 }) },
    'anybody may replace it: its folder is writable for all',
    'Take the permission away: chmod o-w on the folder.',
  ],
  [
    'permissions',
    { file: aFile({ beside_modes: [0o100600, 0o100644] }) },
    'other users may open it (mode 0644)',
    'chmod 600 the ledger, its -wal and its -shm.',
  ],
  [
    'permissions',
    { file: aFile({ is_own: false }) },
    'it belongs to another user',
    'Run this as its owner, or change the owner.',
  ],
  ['permissions', { file: aFile({ is_own: null, mode: 0o100000 }) }, 'only its owner (mode 0000)', null],
  ['space', {}, '10000 MB', null],
  ['space', { file: aFile({ free_bytes: 100.9 * MB }) }, '100 MB', 'Free some space.'],
  ['space', { file: aFile({ free_bytes: 1 }) }, '0 MB', 'Free space now: soon no outcome can be recorded.'],
  ['space', { file: aFile({ free_bytes: null }) }, 'the system does not say', 'Look at the disk yourself.'],
  ['journal', {}, 'none is left', null],
  [
    'journal',
    { file: aFile({ journal: 'rollback' }) },
    'the file is in rollback mode, as a backup is',
    'The first opening for writing changes that.',
  ],
  [
    'journal',
    { file: aFile({ wal_bytes: 4_097, is_open: false }) },
    '5 KB are left of a writer that did not close it',
    'Nothing is lost: copy ledger and -wal together, and the next opening for writing folds it in.',
  ],
  ['journal', { file: aFile({ wal_bytes: 4_096, is_open: null }) }, '4 KB, in use', null],
  [
    'journal',
    { file: aFile({ wal_bytes: 65 * MB, is_open: true }) },
    '66560 KB: somebody reads all the time',
    'End readers that hold the ledger open.',
  ],
  ['schema', {}, 'version 1', null],
  [
    'schema',
    { inside: anInside({ newest_schema: 2 }) },
    'version 1, this program writes 2',
    'Write it with the version of agent-ledger that made it.',
  ],
  ['pages', {}, 'the database finds nothing wrong', null],
  [
    'pages',
    { inside: anInside({ damages: ['page 5 is never used'] }) },
    'damaged: page 5 is never used',
    'Keep ledger and -wal as they are, copy both, and restore a backup; `sqlite3 copy.db .recover` reads what is left.',
  ],
  [
    'pages',
    { inside: anInside({ damages: ['page 5 is never used', 'x', 'y'] }) },
    'damaged: page 5 is never used and 2 more',
    'Keep ledger and -wal as they are, copy both, and restore a backup; `sqlite3 copy.db .recover` reads what is left.',
  ],
  ['incarnation', {}, 'the original', null],
  ['incarnation', { inside: anInside({ incarnation: 3 }) }, 'incarnation 3', null],
  [
    'incarnation',
    { inside: anInside({ is_home: false }) },
    'this is a copy or a restored file',
    'Its prepared operations may have been sent since: after the first opening for writing they wait for a person.',
  ],
  ['clock', { now: stampAt(NOON + HOUR) }, 'the last commit was 1h ago', null],
  ['clock', { inside: anInside({ last_commit: null }) }, 'nothing is written yet', null],
  [
    'clock',
    { now: stampAt(NOON - HOUR) },
    'it is 1h behind the last commit (2026-03-10T12:00:00.000Z)',
    'Set the clock: until then new events bear the time of the last one.',
  ],
  [
    'clock',
    { now: { ...stampAt(NOON), at: NOON + HOUR } },
    'it jumped since the last commit',
    'Set the clock: until it is in order nothing is sent again by itself.',
  ],
  ['receipts', {}, 'none', null],
  [
    'receipts',
    { receipts: 2 },
    '2',
    'They are taken in at the next opening for writing: any command that decides, or the agent.',
  ],
  ['server', {}, 'version 18.4', null],
  [
    'server',
    { server: aServer({ fsync: false }) },
    'version 18.4, with fsync off: a power cut takes back what was answered',
    'Turn fsync on at the server before anything is sent.',
  ],
  [
    'server',
    { server: aServer({ synchronous_commit: 'off' }) },
    'version 18.4, with synchronous_commit off',
    'This program turns it on for its own commits; an outbox that uses your own transactions needs it on too.',
  ],
  ['role', {}, 'this server', null],
  [
    'role',
    { server: aServer({ is_replica: true }) },
    'this server follows another one',
    'Name the primary server to decide and to send.',
  ],
  [
    'role',
    { server: aServer({ is_read_only: true }) },
    'default_transaction_read_only is on for this user',
    'Deciding and sending needs a user who may write.',
  ],
  [
    'role',
    { server: aServer({ trailing_replicas: 2 }) },
    '2 replicas follow without being waited for',
    'A failover to one may lose the last commits: then what was prepared waits for a person. synchronous_standby_names waits for them.',
  ],
  ['way', {}, 'direct', null],
  [
    'way',
    { server: aServer({ is_plain: true }) },
    'it is not encrypted',
    'Say sslmode=verify-full with sslrootcert=, unless the way is safe.',
  ],
  [
    'way',
    { server: aServer({ is_pooled: true }) },
    'a pooler stands in front of it: nothing is kept from one transaction to the next',
    null,
  ],
  ['server_clock', { server: aServer({ clock_ahead_ms: 0 }) }, '0s ahead of this machine', null],
  ['server_clock', { server: aServer({ clock_ahead_ms: -2_000 }) }, '2s behind this machine', null],
  [
    'server_clock',
    { server: aServer({ clock_ahead_ms: HOUR }) },
    '1h ahead of this machine',
    'Set both clocks. The ledger goes by the server; what agents say of times may not.',
  ],
]

describe('what a check says to a person', () => {
  it.each(SAID)('%s of %j: %s', (id, over, says, advice) => {
    const found = examineHealth(facts(over)).find(one => one.id === id)
    expect([found?.says, found?.advice]).toEqual([says, advice])
  })
})
