import type {
  InFlightItem,
  NotSentItem,
  ReportDocument,
  Reported,
  StalledItem,
  UnknownItem,
} from '../../core/documents/report.js'
import type { NextAction } from '../../core/next-action.js'
import type { ExternalId } from '../../core/operation.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { command, type Entry, entry, name, type Part, said, section, time, toned, words } from './page.js'

/** Entries of one list that a page shows; the line after them says how many are left out, and where they are. */
const MOST = 50

/** What is open: in doubt, in flight, not sent, standing still. Each operation has a line of its own. */
export function openSections(report: ReportDocument) {
  const { unknown, in_flight, not_sent, task } = report
  const stalled = report.stalled.filter(isNewsBeside(unknown))
  const more = (count: number, filter: string) => leftOut(count, MOST, [filter, `--task=${task.task_id}`])
  return [
    ...toned(
      'doubt',
      section('Unknown: may have taken effect; find out before anything is sent again', [
        ...unknown.slice(0, MOST).map(unknownEntry),
        ...more(unknown.length, '--unknown'),
      ]),
    ),
    ...section('In flight', [
      ...in_flight.slice(0, MOST).map(flyingEntry),
      ...more(in_flight.length, '--status=in_flight'),
    ]),
    ...section('Not started: nothing of it was sent that may have taken effect', [
      ...not_sent.slice(0, MOST).map(notSentEntry),
      ...more(not_sent.length, '--status=prepared'),
    ]),
    ...section('Stalled', [
      ...stalled
        .slice(0, MOST)
        .map(({ operation_id, rule, reason }) =>
          entry([
            operation_id === null ? words('the task itself') : name(operation_id),
            words(`: ${rule}: `),
            said(reason),
          ]),
        ),
      ...more(stalled.length, '--stalled'),
    ]),
  ]
}

// That an operation in doubt gives no sign of life adds nothing; that its attempts overlap does, and so does that what
// could tell will be gone.
function isNewsBeside(unknown: readonly UnknownItem[]) {
  const inDoubt = new Set(unknown.map(({ operation_id }) => operation_id))
  return ({ operation_id, rule, limit_ms }: StalledItem) =>
    operation_id === null || limit_ms === null || rule === 'evidence_expires' || !inDoubt.has(operation_id)
}

/** `charge (op-5), step 3 of phase pay, on api.example` */
export function operationParts({ operation_id, tool, target, phase, step }: Reported): Part[] {
  return [
    name(tool),
    words(' '),
    name(operation_id),
    ...(step === null ? [] : [words(', step '), name(step)]),
    ...(phase === null ? [] : [words(', phase '), name(phase)]),
    ...(target === null ? [] : [words(', on '), name(target)]),
  ]
}

export function idParts(ids: readonly ExternalId[]): Part[] {
  return ids.flatMap(({ kind, value: id, url }, i) => [
    ...(i === 0 ? [] : [words(', ')]),
    name(`${kind}=${id}`),
    ...(url === undefined ? [] : [words(' at '), name(url)]),
  ])
}

export function leftOut(count: number, most: number, filters: readonly string[]): Entry[] {
  if (count <= most) return []
  return [
    entry([
      words(`${count - most} more are left out here: `),
      command(ledgerCommand('list', ['--all', ...filters])),
    ]),
  ]
}

function unknownEntry(item: UnknownItem): Entry {
  const { last_error, look_here, external_ids, next_action, sent_at, attempts, may_arrive_until } = item
  return entry(
    [...operationParts(item), words(`: unknown, check first (risk: ${item.risk})`)],
    attemptsParts(attempts, sent_at),
    last_error === null
      ? []
      : [words('last error: '), said(last_error.message), words(' ('), name(last_error.rule), words(')')],
    external_ids.length === 0 ? [] : [words('external ids on file: '), ...idParts(external_ids)],
    may_arrive_until === null
      ? [words('no bound is known after which it can no longer arrive')]
      : [words('it can no longer arrive after '), time(may_arrive_until)],
    look_here?.url == null ? [] : [words('look here: '), name(look_here.url)],
    look_here?.check == null ? [] : [words('check: '), command(look_here.check)],
    [words(`next: ${NEXT_WORDS[next_action.next_action]}: `), said(next_action.reason)],
    item.cancel_requested_at === null
      ? []
      : [words('a cancel was asked at '), time(item.cancel_requested_at)],
    item.claimed_by === null ? [] : [name(item.claimed_by), words(' is looking at it')],
  )
}

export const NEXT_WORDS: Readonly<Record<NextAction['next_action'], string>> = {
  none: 'nothing to do',
  wait: 'wait',
  reconcile: 'ask the service',
  resend_same_key: 'it may be sent again with the same key',
  ask_person: 'a person decides',
  resume: 'the run may go on',
  compensate: 'undo it',
}

function attemptsParts(attempts: number, sentAt: string | null): Part[] {
  const count = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  return sentAt === null ? [words(count)] : [words(`${count}, the last sent `), time(sentAt)]
}

function flyingEntry(item: InFlightItem): Entry {
  return entry(
    [...operationParts(item), words(': in flight')],
    item.sent_at === null ? [] : [words('sent '), time(item.sent_at)],
    item.lease_expires_at === null
      ? [words('its writer takes no leases: only a person can tell whether it still runs')]
      : [words('its lease ends '), time(item.lease_expires_at)],
  )
}

const WAITS = {
  approval: 'waits for an approval',
  retry: 'waits for its next attempt',
  person: 'waits for a person',
  run: 'safe to run',
} as const

function notSentEntry(item: NotSentItem): Entry {
  return entry(
    [...operationParts(item), words(`: not started (${WAITS[item.waits_for]})`)],
    item.next_attempt_at === null ? [] : [words('next attempt '), time(item.next_attempt_at)],
    item.last_error === null ? [] : [words('last error: '), said(item.last_error.message)],
  )
}
