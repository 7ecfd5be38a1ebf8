import { resolve } from 'node:path'
import { isUrl } from '../config/ledger-key.js'
import type { ImportedInput } from '../core/documents/import.js'
import { ERROR_RULES, isLedgerError } from '../core/errors.js'
import { hasChanged, noCounts } from '../core/importing/counts.js'
import type { Ledger } from '../ledger.js'
import { SOURCES } from '../sources/index.js'
import type { ImportOptions } from './importing.js'

export interface ImportInputs extends Omit<ImportOptions, 'scratchDir'> {
  readonly paths: readonly string[]
  /** where relative paths start */
  readonly cwd: string
  /** stops: of the input under way nothing is stored, those before it stay */
  readonly signal: AbortSignal
}

/** Every name under which a source can be asked for. */
export async function sourceNames(): Promise<readonly string[]> {
  return SOURCES.filter(({ records }) => records !== undefined).flatMap(({ id, alsoNamed = [] }) => [
    id,
    ...alsoNamed,
  ])
}

/**
 * Takes several inputs in, one after the other. Of several, one that cannot be read is told and the others go on; one
 * alone throws.
 */
export async function importInputs(
  ledger: Ledger,
  { paths, cwd, signal, ...options }: ImportInputs,
): Promise<ImportedInput[]> {
  const inputs: ImportedInput[] = []
  for (const path of paths) {
    if (signal.aborted) break
    try {
      const found = await ledger.importFrom(isUrl(path) ? path : resolve(cwd, path), { ...options, signal })
      const isNews = hasChanged(found.counts)
      const { counts, ...rest } = found
      inputs.push(
        asInput({
          ...rest,
          ...counts,
          path,
          outcome: isNews ? (options.dryRun ? 'would_be_done' : 'done') : 'nothing_new',
          error: null,
        }),
      )
    } catch (error) {
      if (!isLedgerError(error) || paths.length === 1) throw error
      const { code, message, hint } = error
      const exit_code = ERROR_RULES[code].exitCode
      inputs.push(
        asInput({
          ...noCounts(),
          path,
          source: null,
          why: null,
          outcome: 'not_done',
          records: 0,
          warnings: [],
          error: { code, message, hint, exit_code },
        }),
      )
    }
  }
  return inputs
}

/** The same, as the document has it: what JSON leaves out is left out. */
function asInput(input: { readonly [K in Field]: unknown }): ImportedInput {
  return JSON.parse(JSON.stringify(input)) // of the fields above alone
}

type Field =
  | 'path'
  | 'source'
  | 'why'
  | 'outcome'
  | 'records'
  | 'tasks'
  | 'operations'
  | 'phases'
  | 'notes'
  | 'actions'
  | 'warnings'
  | 'error'
