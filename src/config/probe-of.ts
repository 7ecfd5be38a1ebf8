import type { AllProbe, MarkerPlace, MatchBy, ProbeDeclaration } from '../core/probe.js'
import { type Defined, defined } from './defined.js'
import type { ProbeEntry } from './probe-schema.js'

type Entry<K> = Extract<ProbeEntry, { kind: K }>
type SingleEntry = Exclude<ProbeEntry, Entry<'all'>>
type MatchEntry = NonNullable<Entry<'sql'>['match']>

/** A probe as the file has it, with durations in milliseconds under the names of the record. */
export function probeOf(entry: ProbeEntry): ProbeDeclaration {
  if (entry.kind === 'all') return { kind: 'all', of: entry.of.map(singleOf) }
  return singleOf(entry)
}

function singleOf(entry: SingleEntry): AllProbe['of'][number] {
  switch (entry.kind) {
    case 'http': {
      const { match, id, remote, statements, disagrees, ...rest } = withTerms(entry)
      return defined({
        ...rest,
        match: match === undefined ? undefined : matchOf(match),
        id: id === undefined ? undefined : defined(id),
        remote: remote === undefined ? undefined : defined(remote),
        statements: statements === undefined ? undefined : defined(statements),
        disagrees,
      })
    }
    case 'sql': {
      const { match, id, remote, ...rest } = withTerms(entry)
      return defined({
        ...rest,
        match: match === undefined ? undefined : matchOf(match),
        id: id === undefined ? undefined : defined(id),
        remote: remote === undefined ? undefined : defined(remote),
      })
    }
    case 'command':
      return defined(withTerms(entry))
    case 'file':
      return defined(withTerms(entry))
    case 'git':
      return defined(withTerms(entry))
    case 'npm':
      return defined(withTerms(entry))
    case 's3':
      return defined(withTerms(entry))
    case 'module':
      return defined(withTerms(entry))
    case 'service':
    case undefined:
      return defined({ kind: 'service' as const, service: entry.service, with: entry.with })
  }
}

interface TermsEntry {
  readonly settle?: number | undefined
  readonly spacing?: number | undefined
  readonly keeps?: number | undefined
  readonly timeout?: number | undefined
}

function withTerms<E extends TermsEntry>({ settle, spacing, keeps, timeout, ...rest }: E) {
  return { ...rest, settle_ms: settle, spacing_ms: spacing, keeps_ms: keeps, timeout_ms: timeout }
}

function matchOf({ key, operation_id, digest, attributes, by, named_by }: MatchEntry): Defined<MatchBy> {
  return defined({
    key: placeOf(key),
    operation_id: placeOf(operation_id),
    digest,
    attributes,
    by,
    named_by,
  })
}

function placeOf(place: MatchEntry['key']): MarkerPlace | undefined {
  return typeof place === 'string' ? { path: place } : place
}
