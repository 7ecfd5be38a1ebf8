import type { Typed } from './keys.js'
import { EMPTY, offeredField, type TextField, typedInto } from './text-field.js'

export type ActionId =
  | 'reconcile'
  | 'resolve_confirmed'
  | 'resolve_not_executed'
  | 'allow_retry'
  | 'reopen'
  | 'abandon'
  | 'cancel'
  | 'deny'
  | 'withdraw'
  | 'acknowledge'
  | 'approve'
  | 'revoke'
  | 'compensate'
  | 'defer'
  | 'claim'
  | 'release'
  | 'note'
  | 'takeover'
  | 'handback'

/** One thing a person says in a dialog. */
export interface Asked {
  readonly name: FieldName
  readonly label: string
  readonly kind: 'text' | 'switch'
  readonly isRequired: boolean
  readonly usual?: string
}

export type FieldName =
  | 'evidence'
  | 'reason'
  | 'external_id'
  | 'result'
  | 'accept_duplicate'
  | 'until'
  | 'note'
  | 'without_evidence'
  | 'early'
  | 'other_target'

/** A decision as the screen offers it. Whether it is allowed the ledger says. */
export interface Action {
  readonly id: ActionId
  readonly title: string
  /** as typed on the command line */
  readonly verb: string
  readonly asks: readonly Asked[]
  /** can be taken for several marked operations */
  readonly isForMany: boolean
  /** can be put into a plan */
  readonly canStage: boolean
}

const REASON: Asked = { name: 'reason', label: 'reason', kind: 'text', isRequired: true }
const EVIDENCE: Asked = {
  name: 'evidence',
  label: 'evidence (what you saw; a link, ticket:…, file:…)',
  kind: 'text',
  isRequired: true,
}
const NO_EVIDENCE: Asked = {
  name: 'without_evidence',
  label: 'without evidence',
  kind: 'switch',
  isRequired: false,
}

function plain(id: ActionId, title: string, verb: string): Action {
  return { id, title, verb, asks: [REASON], isForMany: true, canStage: true }
}

/** Every action, in the order of the menu. */
export const ACTIONS: readonly Action[] = [
  {
    id: 'reconcile',
    title: 'ask the outside system whether it took effect',
    verb: 'reconcile',
    asks: [],
    isForMany: true,
    canStage: false,
  },
  {
    id: 'resolve_confirmed',
    title: 'it took effect: you saw it',
    verb: 'resolve --as confirmed',
    asks: [
      EVIDENCE,
      REASON,
      { name: 'external_id', label: 'id at the service (kind=value)', kind: 'text', isRequired: false },
      { name: 'result', label: 'result for a resumed run (JSON)', kind: 'text', isRequired: false },
      { name: 'other_target', label: 'it touched another target', kind: 'switch', isRequired: false },
      NO_EVIDENCE,
    ],
    isForMany: true,
    canStage: true,
  },
  {
    id: 'resolve_not_executed',
    title: 'it did not take effect: you looked, and it is not there',
    verb: 'resolve --as not-executed',
    asks: [
      EVIDENCE,
      REASON,
      { name: 'early', label: 'early: an attempt may still arrive', kind: 'switch', isRequired: false },
      NO_EVIDENCE,
    ],
    isForMany: true,
    canStage: true,
  },
  {
    id: 'allow_retry',
    title: 'one more attempt',
    verb: 'allow-retry',
    asks: [
      REASON,
      {
        name: 'accept_duplicate',
        label: 'what may happen twice (only where a repeat is not safe)',
        kind: 'text',
        isRequired: false,
      },
    ],
    isForMany: true,
    canStage: true,
  },
  plain('cancel', 'no further attempt is made', 'cancel'),
  {
    id: 'approve',
    title: 'give leave to send exactly this',
    verb: 'approve',
    asks: [{ ...REASON, isRequired: false }],
    isForMany: false,
    canStage: false,
  },
  { ...plain('revoke', 'take back the leave to send it', 'revoke'), isForMany: false, canStage: false },
  plain('deny', 'it must not be sent, for good', 'deny'),
  plain('withdraw', 'take back the leave to send what was not sent', 'cancel --withdraw'),
  plain('reopen', 'doubt how it was settled', 'reopen'),
  plain(
    'acknowledge',
    'you know that more than one object carries its id',
    'resolve --acknowledge-duplicates',
  ),
  plain('abandon', 'nobody knows, and nobody asks any more', 'abandon'),
  {
    ...plain('compensate', 'undo it by what its tool declares', 'compensate'),
    isForMany: false,
    canStage: false,
  },
  {
    id: 'defer',
    title: 'not now',
    verb: 'defer',
    asks: [
      { name: 'until', label: 'not before (2h, or a time)', kind: 'text', isRequired: true, usual: '2h' },
      REASON,
    ],
    isForMany: true,
    canStage: false,
  },
  {
    id: 'claim',
    title: 'say that you are looking at it',
    verb: 'claim',
    asks: [{ name: 'until', label: 'until (30m, or a time)', kind: 'text', isRequired: true, usual: '30m' }],
    isForMany: true,
    canStage: false,
  },
  { id: 'release', title: 'end your claim', verb: 'release', asks: [], isForMany: true, canStage: false },
  {
    id: 'note',
    title: 'note what you found',
    verb: 'note',
    asks: [{ name: 'note', label: 'note', kind: 'text', isRequired: true }],
    isForMany: true,
    canStage: false,
  },
  {
    ...plain('takeover', 'hold its task: its executors are fenced off', 'takeover'),
    isForMany: false,
    canStage: false,
  },
  { ...plain('handback', 'let its task go on', 'handback'), isForMany: false, canStage: false },
]

const BY_ID = new Map(ACTIONS.map(action => [action.id, action]))

export function actionOf(id: ActionId): Action {
  const found = BY_ID.get(id)
  if (found === undefined) throw new Error(`no action ${id}`)
  return found
}

/** What was typed so far, by field. */
export interface Form {
  readonly at: number
  readonly texts: ReadonlyMap<FieldName, TextField>
  readonly switches: ReadonlySet<FieldName>
}

export function formOf({ asks }: Action): Form {
  return {
    at: 0,
    texts: new Map(
      asks
        .filter(({ kind }) => kind === 'text')
        .map(({ name, usual }) => [name, usual === undefined ? EMPTY : offeredField(usual)]),
    ),
    switches: new Set(),
  }
}

export function textOf(form: Form, name: FieldName): string {
  return form.texts.get(name)?.text.trim() ?? ''
}

/** What is still missing; null when all that is demanded was said. */
export function missingIn({ asks }: Action, form: Form): Asked | null {
  return (
    asks.find(
      ({ name, isRequired }) =>
        isRequired &&
        textOf(form, name) === '' &&
        !(name === 'evidence' && form.switches.has('without_evidence')),
    ) ?? null
  )
}

/** What typing makes of a form; null where the key means nothing in it. */
export function typedIntoForm({ asks }: Action, form: Form, typed: Typed): Form | null {
  const asked = asks[form.at]
  if (asked === undefined) return null
  const move = (by: number): Form => ({ ...form, at: (form.at + by + asks.length) % asks.length })
  if (typed.kind === 'key') {
    if (typed.key === 'tab' || typed.key === 'down') return move(1)
    if (typed.key === 'shift-tab' || typed.key === 'up') return move(-1)
  }
  if (asked.kind === 'switch') {
    if (typed.kind !== 'text' || typed.text !== ' ') return null
    const switches = new Set(form.switches)
    if (!switches.delete(asked.name)) switches.add(asked.name)
    return { ...form, switches }
  }
  const field = typedInto(form.texts.get(asked.name) ?? EMPTY, typed)
  return field === null ? null : withText(form, asked.name, field)
}

export function withText(form: Form, name: FieldName, field: TextField): Form {
  return { ...form, texts: new Map(form.texts).set(name, field) }
}
