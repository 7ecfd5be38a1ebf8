import { actorWords } from '../core/actor.js'
import { decisionCode } from '../core/decision-code.js'
import { evidenceWords } from '../core/given-evidence.js'
import type { Operation } from '../core/operation.js'
import { type Safe, safe, words } from '../core/safe-text.js'
import { ledgerCommand } from '../core/shell-word.js'
import type { Ask } from '../ledger/asked-decision.js'
import { dangersOf } from '../ledger/dangers.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import type { Previewed } from '../ledger/preview.js'
import { type ActionId, actionOf, type Form } from './actions.js'
import { commandOf, type Wish, wishOf } from './form-ask.js'
import type { Foreseen, ForeseenItem } from './state.js'
import type { World } from './world.js'

/** What is carried out when the person says yes: for the versions that they were shown. */
export interface Carried {
  readonly wish: Wish
  readonly subjects: readonly Subject[]
}

export interface Subject {
  readonly id: string
  readonly taskId: string
  readonly version: number
  readonly status: string
  /** of what would be approved */
  readonly digest: string | null
}

interface Asked {
  readonly action: ActionId
  readonly ids: readonly string[]
  readonly form: Form
}

/** Looks what a decision would do; nothing is written. @throws LedgerError */
export async function foresee(world: World, { action, ids, form }: Asked): Promise<Foreseen> {
  const wish = await wishOf(action, form, world)
  if (wish.kind === 'reconcile') return foreseeProbe(world, ids)
  return world.withLedgerForReading(async ledger => {
    const seen: One[] = []
    for (const id of ids) seen.push(await foreseeOne(world, ledger, { id, wish, action }))
    const can = seen.filter(({ item }) => item.refusal === null)
    const dangers = [...new Set(seen.flatMap(one => one.dangers))]
    const [first = seen[0]] = can
    const others = can.length > 1 ? words` (and for ${can.length - 1} more)` : words``
    const byTask = wish.kind === 'takeover' || wish.kind === 'handback'
    const command =
      first === undefined
        ? ''
        : commandOf(actionOf(action).verb, form, {
            id: byTask ? first.subject.taskId : first.subject.id,
            version: wish.kind === 'ask' ? first.subject.version : null,
            digest: first.subject.digest,
          })
    return {
      items: seen.map(({ item }) => item),
      lines: [
        ...(ids.length === 1 ? (first?.lines ?? []) : can.flatMap(({ sent }) => sent ?? [])),
        ...saidLines(wish, world),
      ],
      dangers,
      code: dangers.length === 0 ? null : codeOf(can.map(({ subject }) => subject)),
      command: words`${world.show(command)}${others}`,
      carried: { wish, subjects: can.map(({ subject }) => subject) } satisfies Carried,
    }
  })
}

interface One {
  readonly item: ForeseenItem
  /** where it stands alone */
  readonly lines: readonly Safe[]
  /** what would leave the machine, in one line beside those of others; nothing where nothing would */
  readonly sent?: Safe
  readonly dangers: readonly Safe[]
  readonly subject: Subject
}

interface OneAsked {
  readonly id: string
  readonly wish: Wish
  readonly action: ActionId
}

async function foreseeOne(
  world: World,
  ledger: LedgerForReading,
  { id, wish, action }: OneAsked,
): Promise<One> {
  if (wish.kind === 'ask') return foreseeAsk(world, await ledger.preview(id, wish.ask), wish.ask)
  const { show } = world
  if (wish.kind === 'approve') {
    const { operation, digest, asked, refusal } = await ledger.approvable(id)
    return {
      ...standing(
        world,
        operation,
        words`approved for one send`,
        refusal === null ? null : show(`${refusal.reason}; ${refusal.satisfy}`),
      ),
      lines: [
        words`exactly this: ${show(JSON.stringify(asked), { max: 4_000 })}`,
        words`digest: ${show(digest)}`,
      ],
      subject: subjectOf(operation, digest),
    }
  }
  const { document } = await ledger.show(id)
  const item = document.actions.find(one => one.action === action)
  const refusal =
    item?.refusal == null || item.allowed ? null : show(`${item.refusal.reason}; ${item.refusal.satisfy}`)
  const { status, version, task, intent } = document
  const about = wish.kind === 'takeover' || wish.kind === 'handback'
  const what = about ? words`task ${show(task.task_id)}` : show(id)
  return {
    item: {
      id,
      name: what,
      before: about
        ? show(task.taken_over_by === null ? task.status : `held by ${actorWords(task.taken_over_by)}`)
        : safe(status),
      after: afterWords(world, wish),
      refusal,
    },
    lines: wish.kind === 'compensate' ? [words`undoes ${show(intent.tool)}, as its tool declares`] : [],
    dangers: [],
    subject: { id, taskId: task.task_id, version, status, digest: null },
  }
}

function afterWords({ style }: World, wish: Wish): Safe {
  switch (wish.kind) {
    case 'takeover':
      return words`held by you; its executors are fenced off`
    case 'handback':
      return words`goes on`
    case 'defer':
      return words`the same, not before ${style().exact(wish.until)} (${style().relative(wish.until)})`
    case 'claim':
      return words`claimed by you until ${style().exact(wish.until)} (${style().relative(wish.until)})`
    case 'release':
      return words`no longer claimed by you`
    case 'note':
      return words`the same, with your note`
    case 'revoke':
      return words`no approval permits it any more`
    case 'compensate':
      return words`the same, and an operation that undoes it`
    default:
      return words`the same`
  }
}

function foreseeAsk(world: World, preview: Previewed, ask: Ask): One {
  const { show } = world
  const { before, after, moves, refusal, task, claimed_by_other, now } = preview
  const type =
    ask.type !== 'resolve'
      ? ask.type
      : ask.how.as === 'confirmed'
        ? 'resolve_confirmed'
        : 'resolve_not_executed'
  const dangers = refusal === null ? dangersOf({ type, preview, now }) : []
  const lines = moves.map(({ means }) => show(means))
  if (type === 'allow_retry') lines.push(...sentLines(world, before))
  if (before.last_error !== null)
    lines.push(words`last error: ${show(before.last_error.message, { max: 200 })}`)
  if (task.taken_over_by !== null)
    lines.push(words`! its task is held by ${show(actorWords(task.taken_over_by))}`)
  if (claimed_by_other !== null)
    lines.push(
      words`! ${show(actorWords(claimed_by_other.actor))} is looking at it until ${world.style().exact(claimed_by_other.until)}`,
    )
  const to = after.operation
  const change = words`${show(to.status)}${to.version === before.version ? words`` : words` (version ${before.version} → ${to.version})`}`
  return {
    ...standing(
      world,
      before,
      change,
      refusal === null ? null : show(`${refusal.reason}; ${refusal.satisfy}`),
    ),
    lines,
    ...(type === 'allow_retry' ? { sent: sentLine(world, before) } : {}),
    dangers: dangers.map(({ title }) => show(title)),
    subject: subjectOf(before, null),
  }
}

/** What would leave the machine. */
function sentLines({ show, mask }: World, { tool, target, input, idempotency_key }: Operation): Safe[] {
  return [
    words`sent again: ${show(tool)}${target === null ? words`` : words` on ${show(target, { max: 200 })}`}`,
    words`input: ${show(JSON.stringify(mask(input)), { max: 2_000 })}`,
    words`key: ${show(idempotency_key)}`,
  ]
}

function sentLine({ show, mask }: World, { operation_id, tool, target, input }: Operation): Safe {
  const where = target === null ? words`` : words` on ${show(target, { max: 200 })}`
  return words`${show(operation_id)} is sent again: ${show(tool)}${where}: ${show(JSON.stringify(mask(input)), { max: 400 })}`
}

function standing({ show }: World, { operation_id, status }: Operation, after: Safe, refusal: Safe | null) {
  return {
    item: { id: operation_id, name: show(operation_id), before: safe(status), after, refusal },
    dangers: [],
  }
}

function subjectOf({ operation_id, task_id, version, status }: Operation, digest: string | null): Subject {
  return { id: operation_id, taskId: task_id, version, status, digest }
}

/** Of several it is made over every id and version, so that it names exactly this choice. */
function codeOf(subjects: readonly Subject[]): string {
  const [first] = subjects
  if (first !== undefined && subjects.length === 1) return decisionCode(first.id, first.version)
  return decisionCode(JSON.stringify(subjects.map(({ id, version }) => [id, version])), subjects.length)
}

/** On what it rests, as it will stand in the record. */
function saidLines(wish: Wish, { show }: World): Safe[] {
  const reason = wish.kind === 'ask' ? wish.ask.how.reason : 'reason' in wish ? wish.reason : ''
  const evidence = wish.kind === 'ask' && wish.ask.type === 'resolve' ? (wish.ask.how.evidence ?? []) : []
  return [
    ...evidence.map(one => words`evidence: ${show(evidenceWords(one), { max: 400 })}`),
    ...(reason === '' ? [] : [words`reason: ${show(reason, { max: 400 })}`]),
    ...(wish.kind === 'note' ? [words`note: ${show(wish.text, { max: 400 })}`] : []),
  ]
}

/** Requests that are told of one operation; a command line tells them all. */
const MOST_REQUESTS = 4

async function foreseeProbe({ withLedger, show }: World, ids: readonly string[]): Promise<Foreseen> {
  const wish = { kind: 'reconcile' } as const
  return withLedger(async ledger => {
    const items: ForeseenItem[] = []
    const lines: Safe[] = []
    const subjects: Subject[] = []
    for await (const body of ledger.reconcile(ids, { dryRun: true })) {
      const { operation_id, task_id, version, status, outcome, reason, requests } = body
      const isAsked = outcome === 'planned'
      items.push({
        id: operation_id,
        name: show(operation_id),
        before: safe(status),
        after: isAsked ? words`what the answer says` : safe(status),
        refusal: isAsked ? null : show(reason),
      })
      if (isAsked) subjects.push({ id: operation_id, taskId: task_id, version, status, digest: null })
      lines.push(
        ...requests.slice(0, MOST_REQUESTS).map(request => words`asks: ${show(request, { max: 400 })}`),
      )
      if (requests.length > MOST_REQUESTS)
        lines.push(words`asks: … ${requests.length - MOST_REQUESTS} more of it`)
    }
    const [first = ids[0] ?? '', ...others] = subjects.map(({ id }) => id)
    const more = others.length === 0 ? words`` : words` (and for ${others.length} more)`
    const command = words`${show(ledgerCommand('reconcile', [], first))}${more}`
    return { items, lines, dangers: [], code: null, command, carried: { wish, subjects } satisfies Carried }
  })
}
