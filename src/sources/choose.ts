import { LedgerError } from '../core/errors.js'
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
  if (one === undefined) throw noneKnows(file, found)
  if (others.length > 0) throw severalKnow(file, [one, ...others])
  if (need === 'records' && one.source.records === undefined) throw unable(file, one.source)
  return { source: one.source, why: one.why }
}

function isNamed({ id, alsoNamed = [] }: Source, wanted: string): boolean {
  return id === wanted || alsoNamed.includes(wanted)
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
    .join('; ')
  return unreadable(
    file.path,
    said,
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
