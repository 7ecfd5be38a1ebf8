import type { AttemptItem, EvidenceItem, ShowDocument } from '../../core/documents/show.js'
import { storedEvidenceWords } from '../../core/given-evidence.js'
import type { JsonValue } from '../../core/json.js'
import { ownerWords } from '../../core/owner-words.js'
import { type Entry, entry, name, type Part, quote, said, time, who, words } from './page.js'

// Of one operation: what was sent, and what is known of it.

export function attempts({ attempts: all }: ShowDocument): Entry[] {
  return all.map(attempt =>
    entry(
      [words(`attempt ${attempt.n}, sent `), time(attempt.sent_at), words(endWords(attempt))],
      attempt.ended_at === null ? [] : [words('ended '), time(attempt.ended_at)],
      attempt.error === null
        ? []
        : [words('error: '), said(attempt.error.message), words(' ('), name(attempt.error.rule), words(')')],
      attempt.progress === null && attempt.progress_at === null
        ? []
        : [
            words('progress: '),
            said(textOf(attempt.progress)),
            ...(attempt.progress_at === null ? [] : [words(', '), time(attempt.progress_at)]),
          ],
      attempt.heartbeat_at === null ? [] : [words('last sign of life '), time(attempt.heartbeat_at)],
      // of another system's attempts it may stand nowhere whose they were
      attempt.owner === '' ? [] : [words('by '), name(ownerWords(attempt.owner))],
    ),
  )
}

const ENDS: Readonly<Record<NonNullable<AttemptItem['end']>, string>> = {
  applied: ': it took effect',
  not_applied: ': it certainly did not take effect',
  ambiguous: ': nobody can tell whether it took effect',
  absent: ': a look proved that it did not take effect',
}

function endWords({ end }: AttemptItem): string {
  return end === null ? ': no end is on record' : ENDS[end]
}

const ORIGINS: Readonly<Record<EvidenceItem['origin'], string>> = {
  observed: 'seen by its executor',
  looked_up: 'asked of the service',
  attested: 'said by a person',
  imported: 'taken from other records',
}

export function evidenceEntry({ n, kind, origin, attempt, at, actor, body }: EvidenceItem): Entry {
  const of = attempt === null ? '' : ` of attempt ${attempt}`
  // A lease that lapsed, or an owner that is gone, is what the executor did not live to see.
  const from = kind === 'lease' ? 'seen by the process that looked' : ORIGINS[origin]
  return entry(
    [words(`${n}. ${kind.replaceAll('_', ' ')}${of}, ${from}, `), time(at), words(', '), who(actor)],
    [evidencePart(body)],
  )
}

function evidencePart(body: JsonValue): Part {
  if (typeof body === 'string') return quote(body)
  const given = storedEvidenceWords(body)
  return said(given ?? JSON.stringify(body))
}

export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
