import { LedgerError } from '../core/errors.js'
import { parseTimeGiven } from '../core/iso-time.js'
import { parseWholeJson } from '../core/parse-json.js'
import { ledgerCommand, shellWord } from '../core/shell-word.js'
import type { Ask } from '../ledger/asked-decision.js'
import { type ActionId, type FieldName, type Form, textOf } from './actions.js'
import type { World } from './world.js'

/** What a dialog asked for, ready to be carried out. */
export type Wish =
  | { readonly kind: 'ask'; readonly ask: Ask }
  | { readonly kind: 'approve'; readonly reason: string }
  | { readonly kind: 'revoke' | 'compensate' | 'takeover' | 'handback'; readonly reason: string }
  | { readonly kind: 'defer'; readonly until: number; readonly reason: string }
  | { readonly kind: 'claim'; readonly until: number }
  | { readonly kind: 'release' | 'reconcile' }
  | { readonly kind: 'note'; readonly text: string }

/** The wish of a filled form. @throws LedgerError invalid_input for a time, a result or evidence that is none */
export async function wishOf(action: ActionId, form: Form, world: World): Promise<Wish> {
  const reason = textOf(form, 'reason')
  switch (action) {
    case 'resolve_confirmed':
    case 'resolve_not_executed':
      return { kind: 'ask', ask: await resolveAsk(action, form, world) }
    case 'allow_retry': {
      const acceptDuplicate = textOf(form, 'accept_duplicate')
      return {
        kind: 'ask',
        ask: { type: action, how: { reason, ...(acceptDuplicate === '' ? {} : { acceptDuplicate }) } },
      }
    }
    case 'reopen':
    case 'abandon':
    case 'cancel':
    case 'deny':
    case 'withdraw':
    case 'acknowledge':
      return { kind: 'ask', ask: { type: action, how: { reason } } }
    case 'approve':
    case 'revoke':
    case 'compensate':
    case 'takeover':
    case 'handback':
      return { kind: action, reason }
    case 'defer':
      return { kind: 'defer', until: untilOf(form, world), reason }
    case 'claim':
      return { kind: 'claim', until: untilOf(form, world) }
    case 'note':
      return { kind: 'note', text: textOf(form, 'note') }
    case 'release':
    case 'reconcile':
      return { kind: action }
  }
}

async function resolveAsk(
  action: 'resolve_confirmed' | 'resolve_not_executed',
  form: Form,
  { evidence }: World,
): Promise<Ask> {
  const { switches } = form
  const typed = textOf(form, 'evidence')
  const externalId = textOf(form, 'external_id')
  const result = textOf(form, 'result')
  return {
    type: 'resolve',
    how: {
      as: action === 'resolve_confirmed' ? 'confirmed' : 'not_executed',
      reason: textOf(form, 'reason'),
      ...(hasNoEvidence(form) ? { withoutEvidence: true } : { evidence: await evidence(typed) }),
      ...(switches.has('early') ? { early: true } : {}),
      ...(switches.has('other_target') ? { otherTarget: true } : {}),
      ...(externalId === '' ? {} : { externalIds: [externalIdOf(externalId)] }),
      ...(result === '' ? {} : { result: parseWholeJson(result, 'the result') }),
    },
  }
}

/** What was typed counts, also where the switch was set beside it. */
function hasNoEvidence(form: Form): boolean {
  return form.switches.has('without_evidence') && textOf(form, 'evidence') === ''
}

function externalIdOf(text: string): { readonly kind: string; readonly value: string } {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw unfit('the id at the service', 'write it as kind=value')
  return { kind: text.slice(0, at), value: text.slice(at + 1) }
}

function untilOf(form: Form, { now }: World): number {
  const given = parseTimeGiven(textOf(form, 'until'))
  if (given === undefined)
    throw unfit('the time', 'write a span such as 2h, or a time such as 2026-12-01T08:00:00Z')
  return given.kind === 'at' ? given.at : now() + given.spanMs
}

function unfit(what: string, hint: string): LedgerError {
  return new LedgerError('invalid_input', `${what} does not fit`, { hint })
}

const FLAGS: Readonly<Record<FieldName, string>> = {
  evidence: '--evidence',
  reason: '--reason',
  external_id: '--external-id',
  result: '--result',
  accept_duplicate: '--accept-duplicate',
  until: '--until',
  note: '',
  without_evidence: '--without-evidence',
  early: '--early',
  other_target: '--other-target',
}

/** The command line that does the same for one of them. */
export function commandOf(
  verb: string,
  form: Form,
  about: { readonly id: string; readonly version: number | null; readonly digest: string | null },
): string {
  const [name = '', ...fixed] = verb.split(' ')
  const said = [...form.texts].flatMap(([field, { text }]) =>
    text.trim() === '' || field === 'note' ? [] : [FLAGS[field], text.trim()],
  )
  const version = about.version === null ? [] : ['--expect-version', String(about.version)]
  const digest = about.digest === null ? [] : ['--expect-digest', about.digest]
  const isWithout = hasNoEvidence(form)
  const switches = [...form.switches]
    .filter(field => field !== 'without_evidence' || isWithout)
    .map(field => FLAGS[field])
  const line = ledgerCommand(name, [...fixed, ...said, ...switches, ...version, ...digest], about.id)
  const note = textOf(form, 'note')
  return note === '' ? line : `${line} ${shellWord(note)}`
}
