import type { ErrorCode } from '../errors.js'
import type { Stamp } from '../time.js'

/** What was found out about the machine and one ledger; what could not be found out is null. */
export interface HealthFacts {
  readonly node: string
  readonly sqlite: string
  readonly now: Stamp
  /** who would decide here: `git:ana@example.com` */
  readonly actor: string
  readonly config: { readonly path: string | null; readonly problem: Problem | null }
  /** the ledger in use, or why there is none */
  readonly location: string | null
  readonly problem: Problem | null
  readonly file: FileFacts | null
  readonly inside: InsideFacts | null
  /** of a ledger in PostgreSQL */
  readonly server: ServerHealth | null
  /** receipts that wait beside the ledger */
  readonly receipts: number
}

export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  readonly exit_code: number
}

/** What the file system says, without opening the ledger. */
export interface FileFacts {
  readonly filesystem: { readonly type: number | null; readonly unsafe: string | null }
  readonly free_bytes: number | null
  readonly bytes: number
  /** permission bits of the file, of its directory, and of -wal and -shm where they are */
  readonly mode: number
  readonly directory_mode: number
  readonly beside_modes: readonly number[]
  /** false: it belongs to another user; null where the system has no users */
  readonly is_own: boolean | null
  readonly wal_bytes: number
  /** some process has it open now; null where the system does not tell */
  readonly is_open: boolean | null
  readonly journal: 'wal' | 'rollback' | null
}

/** What a PostgreSQL server says. */
export interface ServerHealth {
  readonly version: string
  /** false: what it calls durable is in memory alone */
  readonly fsync: boolean
  /** it follows another server */
  readonly is_replica: boolean
  /** transactions of this user only read */
  readonly is_read_only: boolean
  /** `on` or stronger waits for the disk */
  readonly synchronous_commit: string
  /** servers that follow it and are not waited for; null where this user may not see them */
  readonly trailing_replicas: number | null
  /** a pooler stands in front of it */
  readonly is_pooled: boolean
  /** what is sent to it can be read on the way */
  readonly is_plain: boolean
  /** its clock less this machine's, milliseconds */
  readonly clock_ahead_ms: number
}

/** What the ledger says of itself. */
export interface InsideFacts {
  readonly ledger_id: string
  readonly incarnation: number
  /** false: this file is a copy or a restored one, and nobody has written it since */
  readonly is_home: boolean
  readonly schema: number
  readonly newest_schema: number
  readonly last_commit: Stamp | null
  /** what the database finds wrong */
  readonly damages: readonly string[]
}
