import type { EventItem } from '../../core/documents/log.js'
import type { ActionItem, ShowDocument } from '../../core/documents/show.js'
import { formatDuration } from '../../core/duration.js'
import { ownerWords } from '../../core/owner-words.js'
import { VERIFICATION_WORDS } from '../../core/verification.js'
import { attempts, evidenceEntry, textOf } from './attempts.js'
import { approvals, undoneLines } from './leave.js'
import { noteEntry } from './note.js'
import { idParts, NEXT_WORDS, operationParts } from './open.js'
import {
  command,
  type Entry,
  entry,
  name,
  type Page,
  type Part,
  quote,
  said,
  section,
  time,
  who,
  words,
} from './page.js'

/** One operation as a page: what is known, where to look, and everything that can be decided. */
export function showPage(shown: ShowDocument): Page {
  return {
    title: [words('Operation '), name(shown.operation_id), words(`: ${stateWords(shown)}`)],
    sections: [
      ...section('What is known', known(shown)),
      ...section('Where to look', whereToLook(shown)),
      ...section('Attempts', attempts(shown)),
      ...section('Evidence', shown.evidence.map(evidenceEntry)),
      ...section('What you can do', shown.actions.filter(isOffered).sort(allowedFirst).map(actionEntry)),
      ...section('Approvals', approvals(shown)),
      ...section('History: what happened, oldest first', shown.history.map(eventEntry)),
      ...section('Notes', shown.notes.map(noteEntry)),
      ...section('What was asked for', intent(shown)),
      ...section(
        'What you cannot do now',
        shown.actions.filter(action => !isOffered(action)).map(deniedEntry),
      ),
    ],
  }
}

function stateWords({ status, in_doubt, stalled_by, state }: ShowDocument): string {
  const doubt = in_doubt && status !== 'unknown' ? `${status}, in doubt` : status
  const stalled = stalled_by.length === 0 ? '' : ', stalled'
  return `${doubt}${stalled}${state.by_hand === null ? '' : ', settled by hand'}`
}

/** Confirmed, and sent once: what it did is known, so nothing of it is awaited. */
function isSeenOnce({ status, attempts }: ShowDocument): boolean {
  return status === 'confirmed' && attempts.length === 1
}

function known(shown: ShowDocument): Entry[] {
  const { task, state, next_action, version, code, claimed_by, external_ids, risk, cause } = shown
  const lines: Part[][] = [
    [...operationParts({ ...shown, ...shown.intent }), words(`, risk: ${risk}`)],
    [words('task '), name(task.task_id), words(` (${task.status.replaceAll('_', ' ')})`)],
    task.pause === null
      ? []
      : [words('its task does not run: '), said(`${task.pause.title}; ${task.pause.resumes}`)],
    task.taken_over_by === null ? [] : [words('its task is held by '), who(task.taken_over_by)],
    [words(`next: ${NEXT_WORDS[next_action.next_action]}: `), said(next_action.reason)],
    next_action.not_before === null ? [] : [words('not before '), time(next_action.not_before)],
    next_action.safe_until === null
      ? []
      : [words('a repeat stays safe until '), time(next_action.safe_until)],
    ...shown.stalled_by.map(({ rule, reason }) => [words(`stalled by ${rule}: `), said(reason)]),
    shown.overlap === null ? [] : [said(shown.overlap)],
    ...shown.still_sending.map(({ attempt, send_by }) => [
      words(`bytes of attempt ${attempt} may still leave until `),
      time(send_by),
    ]),
    shown.may_arrive_until === null || isSeenOnce(shown)
      ? []
      : [words('what was sent can no longer take effect after '), time(shown.may_arrive_until)],
    external_ids.length === 0 ? [] : [words('external ids: '), ...idParts(external_ids)],
    ...flagLines(shown),
    state.by_hand === null
      ? []
      : [
          words('settled by hand ('),
          who(state.by_hand.by),
          words(') '),
          time(state.by_hand.at),
          ...(shown.verification === null ? [] : [words(`, ${VERIFICATION_WORDS[shown.verification]}`)]),
        ],
    state.last_error === null
      ? []
      : [
          words('last error, '),
          time(state.last_error.at),
          words(': '),
          said(state.last_error.message),
          words(' ('),
          name(state.last_error.rule),
          words(')'),
        ],
    cause === null ? [] : [words('cause: '), name(cause)],
    ...cancelLines(shown),
    ...undoneLines(shown),
    ...shown.redactions.map(({ at, by, reason, parts }) => [
      words(`blanked (${parts.join(', ')}) `),
      time(at),
      words(' by '),
      who(by),
      words(': '),
      said(reason),
    ]),
    state.defer_until === null ? [] : [words('deferred until '), time(state.defer_until)],
    state.next_attempt_at === null
      ? []
      : [words('next attempt '), time(state.next_attempt_at), words(': '), said(state.retry_reason ?? '')],
    state.lease === null ? [] : leaseParts(state.lease),
    claimed_by === null
      ? []
      : [who(claimed_by.by), words(' is looking at it until '), time(claimed_by.until)],
    [words('written down '), time(state.created_at), words(`; version ${version}, code ${code}`)],
  ]
  return lines.filter(line => line.length > 0).map(line => entry(line))
}

function cancelLines({ state, status }: ShowDocument): Part[][] {
  if (state.cancel_requested_at === null) return []
  const after = status === 'confirmed' ? ': it finished after that' : ''
  return [[words('a cancel was asked at '), time(state.cancel_requested_at), words(after)]]
}

function leaseParts({ owner, expires_at, owner_gone }: NonNullable<ShowDocument['state']['lease']>): Part[] {
  if (owner === 'remote')
    return [words('the service works on it; its patience ends '), time(expires_at ?? '')]
  if (owner_gone) return [words('the process that sent it is gone: '), name(ownerWords(owner))]
  return expires_at === null
    ? [words('its writer takes no leases: '), name(ownerWords(owner))]
    : [words('its lease ends '), time(expires_at), words(', held by '), name(ownerWords(owner))]
}

function flagLines({ state: { flags } }: ShowDocument): Part[][] {
  return [
    flags.duplicates ? [words('two executions, two results: more than one object carries its id')] : [],
    flags.acknowledged_duplicates === undefined
      ? []
      : [
          words('a person knows that more than one object carries its id: '),
          quote(flags.acknowledged_duplicates),
        ],
    flags.contradicted ? [words('evidence of the opposite came after it was settled')] : [],
    flags.reopened ? [words('a person opened it again')] : [],
    flags.denied ? [words('a person denied it: final')] : [],
    flags.early
      ? [words('a person said that it did not happen before it had run out of time to arrive')]
      : [],
    flags.without_evidence ? [words('settled without evidence')] : [],
    flags.accepted_duplicate === undefined
      ? []
      : [words('a duplicate was accepted: '), quote(flags.accepted_duplicate)],
    flags.target_differs === undefined
      ? []
      : [words('it touched another target: '), said(flags.target_differs)],
    flags.accepted_target === undefined
      ? []
      : [words('a person accepted the other target: '), said(flags.accepted_target)],
    flags.compensation_in_question
      ? [words('it left confirmed after it was undone, or the other way round')]
      : [],
  ]
}

function whereToLook({ look_here, intent: { target, tool, links } }: ShowDocument): Entry[] {
  const check = look_here?.check ?? null
  const url = look_here?.url ?? null
  const declared = [
    ...(url === null ? [] : [entry([name(url)])]),
    ...(check === null ? [] : [entry([words('check: '), command(check)])]),
    ...links.map(link => entry([name(link)])),
  ]
  if (declared.length > 0) return declared
  return [
    entry([
      words('its tool '),
      name(tool),
      words(' names no place to look'),
      ...(target === null ? [] : [words('; it acts on '), name(target)]),
    ]),
  ]
}

/** Allowed as it is, or with the words of a line that says more. */
function isOffered({ allowed, command: line }: ActionItem): boolean {
  return allowed || line !== null
}

function deniedEntry({ action, refusal }: ActionItem): Entry {
  const why = refusal === null ? [] : [words(': '), said(refusal.reason)]
  return entry([words(action.replaceAll('_', ' ')), ...why])
}

function allowedFirst(a: ActionItem, b: ActionItem): number {
  return Number(b.allowed) - Number(a.allowed)
}

function actionEntry({ action, title, allowed, command: line, refusal, to, note }: ActionItem): Entry {
  const where = to === null ? '' : ` (→ ${to})`
  return entry(
    [words(`${allowed ? 'yes' : 'no '}  ${action.replaceAll('_', ' ')}${where}: `), said(title)],
    line === null ? [] : [command(line)],
    refusal === null
      ? []
      : [words(`${refusal.rule}: `), said(refusal.reason), words('; to satisfy it: '), said(refusal.satisfy)],
    note === null ? [] : [said(note)],
  )
}

/** Also a line of `log`. */
export function eventEntry(event: EventItem): Entry {
  const { at, actor, type, reason, rule } = event
  return entry([
    time(at),
    words(' '),
    who(actor),
    words(' '),
    name(type),
    ...moveParts(event),
    ...(rule === null ? [] : [words(', rule '), name(rule)]),
    ...(reason === null ? [] : [words(': '), quote(reason)]),
  ])
}

function moveParts({ from, to }: EventItem): Part[] {
  if (to === null || from === to) return []
  return [words(' '), ...(from === null ? [] : [name(from), words(' ')]), words('→ '), name(to)]
}

function intent({ intent: it, state, new_key_allowed: may, new_key_reason }: ShowDocument): Entry[] {
  const repeat =
    it.repeat === null ? 'nobody declared what a repeat does' : textOf(JSON.parse(JSON.stringify(it.repeat)))
  const lines: Part[][] = [
    [words('input: '), said(textOf(it.input))],
    [words('digest of the input: '), name(it.input_digest)],
    state.result === null ? [] : [words('result: '), said(textOf(state.result))],
    [words('effect: '), words(it.effect ?? 'not declared'), words(', repeat: '), name(repeat)],
    [words('idempotency key: '), name(it.idempotency_key), words(' in '), name(it.key_scope)],
    [words(`another key for the same write: ${may ? 'yes' : 'no'}: `), said(new_key_reason)],
    [words(`attempts allowed: ${it.max_attempts}`)],
    it.amount === null ? [] : [words(`amount at stake: ${it.amount}`)],
    it.timeout_ms === null ? [] : [words(`time-out of an attempt: ${formatDuration(it.timeout_ms)}`)],
    it.deadline_at === null ? [] : [words('deadline: '), time(it.deadline_at)],
    it.compensates === null ? [] : [words('it undoes '), name(it.compensates)],
    it.supersedes === null ? [] : [words('it replaces '), name(it.supersedes)],
    it.same_as === null ? [] : [words('same tool and input as '), name(it.same_as)],
    it.checkpoint === null ? [] : [words('made in checkpoint: '), said(textOf(it.checkpoint))],
    [words(`recorded by: ${it.provenance}`)],
  ]
  return lines.filter(line => line.length > 0).map(line => entry(line))
}
