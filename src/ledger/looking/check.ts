import { actorWords } from '../../core/actor.js'
import { awaitsApproval } from '../../core/approval.js'
import {
  type CheckCondition,
  type CheckDocument,
  DEFAULT_CONDITIONS,
  type FoundItem,
} from '../../core/documents/check.js'
import { stallsIn } from '../../core/documents/sight.js'
import { isInDoubt } from '../../core/in-doubt.js'
import { nextAction } from '../../core/next-action.js'
import { isSettled } from '../../core/operation.js'
import { VERIFICATION_WORDS, verificationOf } from '../../core/verification.js'
import { violationsOf } from '../../report/takeover/findings.js'
import { ofKnownTask } from './find-id.js'
import { report } from './report.js'
import { outlinesOf, rowsOf, type Troubled, troubleOf } from './rows.js'
import type { LookingSession } from './session.js'
import { stalledAmong } from './stalled-tasks.js'
import { type Look, lookNow } from './view.js'

export interface CheckOptions {
  /** default: unknown, stalled */
  readonly failOn?: readonly CheckCondition[]
  /** only what was written down at or before, milliseconds since 1970 UTC */
  readonly before?: number
  readonly taskId?: string
}

/** Findings that are named one by one; their number is told whole. */
const NAMED = 100

/**
 * The gate: whether anything is there on which it is to fail.
 * @throws LedgerError not_found for a task that is not there
 */
export async function check(session: LookingSession, asked: CheckOptions): Promise<CheckDocument> {
  const options = await ofKnownTask(session.store, asked)
  const conditions = options.failOn ?? DEFAULT_CONDITIONS
  const look = await lookNow(session)
  const counts = new Map<CheckCondition, number>(conditions.map(condition => [condition, 0]))
  const found: FoundItem[] = []
  let left_out = 0
  for await (const item of findings(session, { ...options, conditions }, look)) {
    counts.set(item.condition, (counts.get(item.condition) ?? 0) + 1)
    if (found.length < NAMED) found.push(item)
    else left_out++
  }
  const failed_on = conditions.filter(condition => (counts.get(condition) ?? 0) > 0)
  return { ok: failed_on.length === 0, failed_on, counts: Object.fromEntries(counts), found, left_out }
}

type Asked = Omit<CheckOptions, 'failOn'> & { readonly conditions: readonly CheckCondition[] }

async function* findings(session: LookingSession, asked: Asked, look: Look): AsyncGenerator<FoundItem> {
  const { store } = session
  const { conditions, before, taskId } = asked
  const wanted = {
    sort: 'risk' as const,
    ...(before === undefined ? {} : { before }),
    ...(taskId === undefined ? {} : { task_id: taskId }),
  }
  const violating = new Set<string>()
  for await (const troubled of troubleOf(store, wanted, look)) {
    for (const condition of conditions) {
      const reason = OF_OPERATION[condition]?.(troubled, look) ?? null
      const { operation_id, task_id } = troubled.view.operation
      if (reason === null) continue
      if (condition === 'violations') violating.add(operation_id)
      yield { condition, operation_id, task_id, reason }
    }
  }
  if (conditions.includes('violations')) yield* againstRules(session, { wanted, known: violating }, look)
  if (conditions.includes('unverified')) yield* unverified(session, wanted, look)
  yield* ofTasks(session, asked, look)
}

type Finder = (troubled: Troubled, look: Look) => string | null

/** What each condition finds in an operation, as a sentence; null: nothing. */
const OF_OPERATION: Readonly<Partial<Record<CheckCondition, Finder>>> = {
  unknown: ({ view: { operation } }, { look }) =>
    isInDoubt(operation, look) ? (operation.last_error?.message ?? 'its executor is gone') : null,
  // A repeat of which both are settled stands still no more: `duplicates` asks for it.
  stalled: ({ view }, look) =>
    isSettled(view.operation.status)
      ? null
      : (stallsIn(view, look).find(({ rule }) => rule !== 'duplicate_writes')?.reason ?? null),
  duplicates: ({ view }, look) => {
    if (view.operation.flags.duplicates) return 'more than one object carries its id'
    return stallsIn(view, look).find(({ rule }) => rule === 'duplicate_writes')?.reason ?? null
  },
  violations: ({ view }) => {
    const found = violationsOf({ views: [view], approvals: null })
    return found.length === 0 ? null : found.map(({ reason }) => reason).join('; ')
  },
  approvals: ({ view: { operation, approved_at = null } }) =>
    awaitsApproval(operation, approved_at !== null) ? 'it waits for an approval' : null,
  // Neither a probe nor a safe repeat can answer: what its contract leaves to a person is work that never ends by itself.
  unanswered: ({ view: { operation, task, target_touched } }, { look }) => {
    if (!isInDoubt(operation, look) || operation.contract.probe !== undefined) return null
    const { safe_to_repeat } = nextAction({ operation, look, task, targetTouched: target_touched })
    return safe_to_repeat
      ? null
      : `only a person can find out: ${operation.tool} names no probe and no safe repeat`
  },
}

/** What a person settled needs nobody any more, and how they settled it may have been against a rule. */
async function* againstRules(
  { store }: LookingSession,
  {
    wanted,
    known,
  }: { readonly wanted: Parameters<typeof troubleOf>[1]; readonly known: ReadonlySet<string> },
  look: Look,
): AsyncGenerator<FoundItem> {
  for await (const view of rowsOf(store, { ...wanted, scope: 'all', by_hand: true }, look)) {
    const { operation_id, task_id } = view.operation
    const found = violationsOf({ views: [view], approvals: null })
    if (known.has(operation_id) || found.length === 0) continue
    const reason = found.map(one => one.reason).join('; ')
    yield { condition: 'violations', operation_id, task_id, reason }
  }
}

/** What a person settled stands in history, and what backs it beside each: only those few are read whole. */
async function* unverified(
  { store }: LookingSession,
  wanted: Parameters<typeof troubleOf>[1],
  look: Look,
): AsyncGenerator<FoundItem> {
  for await (const { operation_id, task_id, settled_by } of outlinesOf(
    store,
    { ...wanted, scope: 'all', by_hand: true },
    look,
  )) {
    const record = settled_by === 'person' ? await store.operation(operation_id) : null
    const state = record === null ? null : verificationOf(record)
    if (record === null || state === null || state === 'verified') continue
    const by = actorWords(record.operation.by_hand?.by ?? 'a person')
    const reason = `${by} settled it as ${record.operation.status} ${VERIFICATION_WORDS[state]}`
    yield { condition: 'unverified', operation_id, task_id, reason }
  }
}

async function* ofTasks(
  session: LookingSession,
  { conditions, taskId, before }: Asked,
  look: Look,
): AsyncGenerator<FoundItem> {
  const asksStalls = conditions.includes('stalled')
  const asksReplay = conditions.includes('replay-risk')
  if (!asksStalls && !asksReplay) return
  const page = await session.store.tasks({
    scope: 'open',
    now: look.look.now,
    goneOwners: look.goneOwners,
    limit: null,
  })
  const open = page.tasks.map(({ task }) => task)
  const stalled = new Map(
    (asksStalls ? await stalledAmong(session.store, open, look) : []).map(({ task, stalls }) => [
      task.task_id,
      stalls[0],
    ]),
  )
  for (const task of open) {
    const { task_id } = task
    if ((taskId !== undefined && task_id !== taskId) || (before !== undefined && task.created_at > before))
      continue
    const stall = stalled.get(task_id)
    if (stall !== undefined) yield { condition: 'stalled', operation_id: null, task_id, reason: stall.reason }
    if (asksReplay && task.thread !== null) yield* replayRisksOf(session, task_id)
  }
}

/** A checkpoint that cannot be read answers nothing: a gate does not open on that. */
async function* replayRisksOf(session: LookingSession, task_id: string): AsyncGenerator<FoundItem> {
  const { document } = await report(session, task_id)
  const condition = 'replay-risk'
  for (const { operation_id, why } of document.replay_risk)
    yield { condition, operation_id, task_id, reason: why }
  for (const { message } of document.warnings)
    yield { condition, operation_id: null, task_id, reason: message }
}
