import type { OpenGroup, StatusDocument } from '../../core/documents/status.js'
import {
  command,
  type Entry,
  entry,
  name,
  type Page,
  type Part,
  said,
  section,
  time,
  toned,
  who,
  words,
} from './page.js'

/** What is open as a page. Without trouble it is three lines. */
export function statusPage(status: StatusDocument): Page {
  const { causes, stalled, claims, next } = status
  return {
    title: [words(titleWords(status))],
    sections: [
      ...section('Open', open(status)),
      ...section(
        'Stalled',
        stalled.map(({ rule, of, count, oldest_since }) =>
          entry([
            words(`${rule}: ${count} ${count === 1 ? of : `${of}s`}, the oldest since `),
            time(oldest_since),
          ]),
        ),
      ),
      ...section(
        'In doubt, by cause',
        causes.map(({ cause, count, oldest_at }) =>
          entry([words(`${count}  `), name(cause), words(', the oldest from '), time(oldest_at)]),
        ),
      ),
      ...section(
        'Claimed',
        claims.map(({ subject, subject_id, by, until }) =>
          entry([
            words(`${subject} `),
            name(subject_id),
            words(': '),
            who(by),
            words(' is looking at it until '),
            time(until),
          ]),
        ),
      ),
      ...toned(
        'next',
        section('Next', [entry([said(next.why)], next.command === null ? [] : [command(next.command)])]),
      ),
    ],
  }
}

function titleWords({ in_doubt, stalled, awaiting_approval, flagged, tasks }: StatusDocument): string {
  if (in_doubt.count > 0) return `${in_doubt.count} in doubt: may have taken effect, and nobody knows`
  if (awaiting_approval > 0)
    return `Nothing is in doubt; ${awaiting_approval} ${awaiting_approval === 1 ? 'waits' : 'wait'} for an approval`
  if (flagged > 0) return 'Nothing is in doubt; a person is asked'
  if (stalled.length > 0) return 'Nothing is in doubt; something stands still'
  const resting = tasks.taken_over + tasks.paused.length > 0
  return resting ? 'Nothing is in doubt; not every task runs' : 'Nothing needs a person'
}

function open(status: StatusDocument): Entry[] {
  const { in_doubt, in_flight, not_sent, awaiting_approval, flagged, tasks, last_event_at } = status
  return [
    groupEntry(
      'in doubt',
      in_doubt,
      in_doubt.riskiest === null
        ? []
        : [words('riskiest: '), name(in_doubt.riskiest), words(` (${in_doubt.risk})`)],
    ),
    groupEntry('in flight', in_flight, flightParts(in_flight)),
    groupEntry(
      'not sent',
      not_sent,
      awaiting_approval === 0
        ? []
        : [words(`${awaiting_approval} ${awaiting_approval === 1 ? 'waits' : 'wait'} for an approval`)],
    ),
    ...(flagged === 0 ? [] : [entry([words(`settled, with a question open: ${flagged}`)])]),
    entry([
      words(`tasks open: ${tasks.open}${tasks.taken_over === 0 ? '' : `, taken over: ${tasks.taken_over}`}`),
    ]),
    ...tasks.paused.map(({ status: paused, count, resumes }) =>
      entry([
        words(`tasks ${paused.replaceAll('_', ' ')}: ${count}; what lets them run again: `),
        said(resumes),
      ]),
    ),
    last_event_at === null
      ? entry([words('nothing was ever written here')])
      : entry([
          words('last entry '),
          time(last_event_at),
          words(status.is_silent ? ': nobody has written since before the leases ran out' : ''),
        ]),
    ...receipts(status),
  ]
}

function groupEntry(what: string, { count, oldest, oldest_at }: OpenGroup, more: readonly Part[]): Entry {
  if (oldest === null || oldest_at === null) return entry([words(`${what}: ${count}`)])
  return entry(
    [words(`${what}: ${count}, the oldest `), name(oldest), words(' from '), time(oldest_at)],
    more,
  )
}

function flightParts({ count, next_lease_ends_at, without_lease }: StatusDocument['in_flight']): Part[] {
  if (count === 0) return []
  const lease: Part[] =
    next_lease_ends_at === null
      ? []
      : [words(count === 1 ? 'its lease ends ' : 'the next lease ends '), time(next_lease_ends_at)]
  const without =
    without_lease === 0
      ? []
      : [words(`${lease.length === 0 ? '' : '; '}${without_lease} of a writer that takes no leases`)]
  return [...lease, ...without]
}

function receipts({ receipts_waiting }: StatusDocument): Entry[] {
  if (receipts_waiting.length === 0) return []
  const [first = ''] = receipts_waiting
  return [
    entry(
      [words(`outcomes that wait beside the ledger: ${receipts_waiting.length}`)],
      [name(first)],
      [words('the next program that opens the ledger to write takes them in')],
    ),
  ]
}
