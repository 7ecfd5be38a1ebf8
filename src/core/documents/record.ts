import type { ErrorCode, LedgerError } from '../errors.js'
import type { JsonValue } from '../json.js'
import type { ExternalId, OperationStatus } from '../operation.js'
import type { TaskStatus } from '../task.js'
import type { NextActionItem } from './parts.js'

/** Verbs of `agent-ledger record`, in the order of an operation's life. */
export const RECORD_VERBS = [
  'task',
  'prepare',
  'send',
  'accept',
  'confirm',
  'reject',
  'lose',
  'heartbeat',
  'activity',
  'progress',
  'note',
  'phase',
  'drain',
] as const
export type RecordVerb = (typeof RECORD_VERBS)[number]

/** What `record` answers, one object a verb. `ok`: what was asked for is so now. */
export interface RecordReply {
  readonly ok: boolean
  readonly operation_id?: string
  readonly task_id?: string
  readonly status?: OperationStatus | TaskStatus
  readonly version?: number
  readonly next_action?: NextActionItem
  /** the attempt no longer held the operation: what it told is kept as late evidence */
  readonly late?: boolean
  readonly error?: RecordError

  /** of `send` */
  readonly attempt?: number
  readonly fence?: number
  readonly idempotency_key?: string
  readonly previous?: RecordPrevious
  readonly send_by?: string
  readonly lease_expires_at?: string | null
  /** of `task` and `send` */
  readonly epoch?: number
  /** of `prepare` and `send`, where it is confirmed already */
  readonly result?: JsonValue
  readonly external_ids?: readonly ExternalId[]
  /** of `heartbeat`, `activity` and `progress` */
  readonly cancel_requested?: boolean
  /** of `note` */
  readonly note_id?: string
  /** of `phase`: begun, or one that may be reused; with the reasons why an earlier one may not */
  readonly phase?: string
  readonly reused?: boolean
  readonly why?: readonly string[]
  readonly artifact_digest?: string | null
}

export interface RecordPrevious {
  readonly attempts: readonly {
    readonly n: number
    readonly sent_at: string
    readonly ended_at: string | null
    readonly end: string | null
    readonly error: string | null
  }[]
  readonly progress: JsonValue
  readonly external_ids: readonly ExternalId[]
}

export interface RecordError {
  readonly code: ErrorCode
  readonly message: string
  readonly path?: string
  readonly rule?: string
  readonly facts?: Readonly<Record<string, unknown>>
  readonly hint: string
  readonly exit_code: number
}

/** A failure as an answer carries it. */
export function errorItemOf(error: LedgerError): RecordError {
  const { code, message, path, rule, facts, hint, exitCode } = error
  return {
    code,
    message,
    ...(path === undefined ? {} : { path }),
    ...(rule === undefined ? {} : { rule }),
    ...(facts === undefined ? {} : { facts }),
    hint,
    exit_code: exitCode,
  }
}
