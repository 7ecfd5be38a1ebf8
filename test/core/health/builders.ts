import type { FileFacts, HealthFacts, InsideFacts, ServerHealth } from '../../../src/core/health/facts.js'
import { NOON, stampAt } from '../builders.js'

export const MB = 1_048_576

export const aFile = (over: Partial<FileFacts> = {}): FileFacts => ({
  filesystem: { type: 0xef53, unsafe: null },
  free_bytes: 10_000 * MB,
  bytes: 200_000,
  mode: 0o100600,
  directory_mode: 0o40700,
  beside_modes: [],
  is_own: true,
  wal_bytes: 0,
  is_open: false,
  journal: 'wal',
  ...over,
})

export const anInside = (over: Partial<InsideFacts> = {}): InsideFacts => ({
  ledger_id: 'l-1',
  incarnation: 1,
  is_home: true,
  schema: 1,
  newest_schema: 1,
  last_commit: stampAt(NOON),
  damages: [],
  ...over,
})

export const aServer = (over: Partial<ServerHealth> = {}): ServerHealth => ({
  version: '18.4',
  fsync: true,
  is_replica: false,
  is_read_only: false,
  synchronous_commit: 'on',
  trailing_replicas: 0,
  is_pooled: false,
  is_plain: false,
  clock_ahead_ms: 3,
  ...over,
})

export const facts = (over: Partial<HealthFacts> = {}): HealthFacts => ({
  node: '20.20.2',
  sqlite: '3.53.2',
  now: stampAt(NOON),
  actor: 'git:ana@example.com',
  config: { path: null, problem: null },
  location: '/l.db',
  problem: null,
  file: aFile(),
  inside: anInside(),
  server: aServer(),
  receipts: 0,
  ...over,
})
