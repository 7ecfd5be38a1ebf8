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

/** What the ledger says of itself. */
export interface InsideFacts {
  readonly ledger_id: string
  readonly incarnation: number
  /** false: this file is a copy or a restored one, and nobody has written it since */
  readonly is_home: boolean
  readonly schema: number
  readonly newest_schema: number
  readonly last_commit: Stamp | null
  /** what SQLite finds wrong with its pages */
  readonly damages: readonly string[]
}
