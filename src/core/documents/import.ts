import type { ErrorCode } from '../errors.js'
import type { JsonObject } from '../json.js'

/** import@1: what became of each input. */
export interface ImportBody extends JsonObject {
  readonly dry_run: boolean
  readonly inputs: readonly ImportedInput[]
}

export interface ImportedInput extends JsonObject {
  readonly path: string
  /** id of the source; null where it could not be read */
  readonly source: string | null
  /** what it was known by, to put after the path */
  readonly why: string | null
  readonly outcome: 'done' | 'nothing_new' | 'would_be_done' | 'not_done'
  readonly records: number
  readonly tasks: ImportedKind
  readonly operations: ImportedOperations
  readonly phases: ImportedKind
  readonly notes: ImportedKind
  readonly actions: ImportedKind
  readonly warnings: readonly ImportWarningItem[]
  readonly error: ImportError | null
}

interface ImportedKind extends JsonObject {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
}

interface ImportedOperations extends ImportedKind {
  readonly contradicted: number
  readonly kept_as_evidence: number
  readonly refused: number
}

interface ImportWarningItem extends JsonObject {
  readonly code: string
  readonly count: number
  readonly message: string
  readonly where: readonly string[]
}

interface ImportError extends JsonObject {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
  readonly exit_code: number
}

export const IMPORT_FIELDS = ['dry_run', 'inputs'] as const satisfies readonly (keyof ImportBody)[]
