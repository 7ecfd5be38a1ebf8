import { LedgerError } from '../core/errors.js'
import { ledgerCommand } from '../core/shell-word.js'
import { OWN_APPLICATION_ID } from './own-ledger.js'
import type { Detection, Source } from './source.js'
import type { SourceFile } from './source-file.js'
import { unreadable } from './unreadable.js'

export interface Chosen {
  readonly source: Source
  /** what was found in it, to put after the path */
  readonly why: string
}

/** What is wanted of the file: `read` is answered from records where a source keeps no checkpoints. */
export type Need = 'read' | 'records'

/**
 * The source that knows the file by its content, or the one that was named, where it does. Throws `ledger_unreadable`
 * with what each of them said where none does, `usage` where several do, and `invalid_input` for a name that is none.
 */
export function chooseSource(
  file: SourceFile,
  { sources, wanted, need }: { sources: readonly Source[]; wanted: string | undefined; need: Need },
): Chosen {
  const named = sources.filter(source => wanted === undefined || isNamed(source, wanted))
  if (named.length === 0)
    throw new LedgerError('invalid_input', `there is no source ${wanted}`, {
      hint: `Sources: ${sources.map(({ id }) => id).join(', ')}.`,
    })
  const found = named.map(source => ({ source, ...source.detect(file) }))
  const matching = found.filter(({ matches }) => matches)
  // its own mark stands in it: that another shape fits too says nothing
  const certain = matching.filter(({ isCertain }) => isCertain === true)
  const fitting = certain.length > 0 ? certain : matching
  const able = fitting.filter(({ source }) => source[need] !== undefined)
  const [one, ...others] = able.length > 0 ? able : fitting
  if (one === undefined) throw nothingToRead(file, need) ?? noneKnows(file, found)
  if (others.length > 0) throw severalKnow(file, [one, ...others])
  if (need === 'records' && one.source.records === undefined) throw unable(file, one.source)
  return { source: one.source, why: one.why }
}

function isNamed({ id, alsoNamed = [] }: Source, wanted: string): boolean {
  return id === wanted || alsoNamed.includes(wanted)
}

/** What no source could read, whichever it were: told alone, without what each of them missed in it. */
function nothingToRead(file: SourceFile, need: Need): LedgerError | undefined {
  const { path, kind } = file
  if (kind === 'other')
    return unreadable(
      path,
      'is a pipe, socket or device, not a file',
      'Write what it gives to a file first, and name that.',
    )
  if (kind !== 'file') return undefined
  const problem = file.whyNotSqlite()
  if (problem?.startsWith('is empty'))
    return unreadable(
      path,
      problem,
      'Look whether the copy was complete, or the other system writes elsewhere.',
    )
  if (problem !== undefined || file.sqlite().header.applicationId !== OWN_APPLICATION_ID) return undefined
  const named = ledgerCommand('status', [`--ledger=${path}`])
  const exported = ledgerCommand('export', [`--ledger=${path}`, '--output', 'ledger.jsonl'])
  return unreadable(
    path,
    'is a ledger of agent-ledger, not the records of another system',
    need === 'read'
      ? `Look at it as a ledger: ${named}`
      : `Export it, then import the file: ${exported}. To look at it: ${named}`,
  )
}

type Found = { readonly source: Source } & Detection

function noneKnows(file: SourceFile, found: readonly Found[]): LedgerError {
  const said = [...new Map(found.map(({ source, why }) => [why, source]))]
    .map(
      ([why]) =>
        `${why} (${found
          .filter(one => one.why === why)
          .map(({ source }) => source.title)
          .join(', ')})`,
    )
    .join(found.length === 1 ? '; ' : '; it ')
  return unreadable(
    file.path,
    found.length === 1 ? said : `is known to none of the sources: it ${said}`,
    'Name the file or folder that the other system writes; docs/importing.md says which that is for each.',
  )
}

function severalKnow(file: SourceFile, able: readonly Found[]): LedgerError {
  const said = able.map(({ source, why }) => `${source.id}: it ${why}`).join('; ')
  return new LedgerError('usage', `${file.path} could be of several systems: ${said}`, {
    path: file.path,
    hint: `Say which: ${able.map(({ source }) => source.id).join(' or ')}.`,
  })
}

function unable(file: SourceFile, source: Source): LedgerError {
  return unreadable(
    file.path,
    `is ${source.title}, which tells of no outside writes`,
    'Read it with `agent-ledger checkpoint`: it says what a resume would do.',
  )
}
