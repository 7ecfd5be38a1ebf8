import type { ChangedSince } from '../core/documents/apply.js'
import {
  PLAN_SCHEMA,
  type PlanHead,
  type PlanItem,
  type PlannedDecision,
  planItem,
  seenOf,
} from '../core/documents/plan.js'
import { isLedgerError, LedgerError } from '../core/errors.js'
import { evidenceBody, type KnownEvidence } from '../core/given-evidence.js'
import { isoTime } from '../core/iso-time.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ExternalId, Operation } from '../core/operation.js'
import { type Ask, decisionOf, type ForetellingSession } from './asked-decision.js'
import { type Decided, recordRefusal } from './decide.js'
import type { ResolveOptions } from './decisions.js'
import { preview } from './preview.js'
import type { Session } from './session.js'
import { whoDecided } from './who-decided.js'

/** A decision as a plan holds it, and what would be refused now. */
export interface Planned {
  readonly item: PlanItem
  /** null: it could be carried out now */
  readonly refusal: LedgerError | null
}

/** What became, or would become, of a decision of a plan. */
export type Applied =
  | {
      readonly outcome: 'done' | 'already' | 'would_be_done'
      readonly after: Operation
      readonly undo: string | null
    }
  | {
      readonly outcome: 'not_done'
      /** null where there is no such operation */
      readonly now: Operation | null
      readonly changed: ChangedSince | null
      readonly error: LedgerError
    }

/** The first line of a plan that is made now. */
export function planHead({ store, clock, actor }: ForetellingSession): PlanHead {
  return { schema: PLAN_SCHEMA, ledger_id: store.ledgerId, made_at: isoTime(clock().at), made_by: actor }
}

/** Freezes a decision with what the operation is now. Nothing is written. @throws LedgerError not_found, invalid_input */
export async function planned(session: ForetellingSession, operationId: string, ask: Ask): Promise<Planned> {
  const { before, refusal } = await preview(session, decisionOf(session, operationId, ask))
  const { task_id, tool, target } = before
  const { decisionId, expectVersion } = ask.how
  const item = planItem({
    operation_id: operationId,
    decision: decisionJson(ask, session.mask.text),
    seen: seenOf(before),
    about: { task_id, tool, target: target === null ? null : session.mask.text(target) },
    ...(decisionId === undefined ? {} : { decision_id: decisionId }),
  })
  const other =
    expectVersion === undefined || expectVersion === before.version
      ? null
      : ({
          code: 'conflict',
          rule: 'version_as_seen',
          reason: `${operationId} is at version ${before.version}, not ${expectVersion}`,
          satisfy: 'look again',
        } as const)
  const against = refusal ?? other
  return {
    item,
    refusal:
      against === null
        ? null
        : new LedgerError(against.code, against.reason, {
            id: operationId,
            rule: against.rule,
            hint: against.satisfy,
          }),
  }
}

/**
 * One decision of a plan, judged on the ledger as it is; `commit` carries it out, and is left out for a dry run: up to
 * it both are the same. What stands against one decision is its result; a fault of the ledger is thrown.
 */
export async function applyItem(
  session: ForetellingSession,
  item: PlanItem,
  commit?: (ask: Ask) => Promise<Decided>,
): Promise<Applied> {
  const { operation_id, decision_id, seen } = item
  const { store } = session
  let now: Operation | null = null
  try {
    const ask = askOf(item)
    const on = (await store.decision(decision_id))?.subject_id ?? null
    const previewed = await preview(session, decisionOf(session, operation_id, ask))
    now = previewed.before
    if (on === operation_id) return { outcome: 'already', after: now, undo: null }
    if (on !== null) throw usedElsewhere(item, on)
    const isAsSeen = seenOf(now).digest === seen.digest
    const { refusal } = previewed
    if (!isAsSeen && seen.version === now.version) throw anotherHistory(item)
    if (commit === undefined) {
      if (refusal !== null)
        throw new LedgerError(refusal.code, refusal.reason, {
          id: operation_id,
          rule: refusal.rule,
          hint: refusal.satisfy,
        })
      return { outcome: 'would_be_done', after: previewed.after.operation, undo: null }
    }
    // one that is refused is refused in the commit, which keeps it on record
    const { after, repeated, undo } = await commit(ask)
    return { outcome: repeated ? 'already' : 'done', after, undo }
  } catch (error) {
    if (!isLedgerError(error) || !OF_ONE.has(error.code)) throw error
    return { outcome: 'not_done', now, changed: await changedSince(session, item, now), error }
  }
}

const OF_ONE: ReadonlySet<string> = new Set(['not_found', 'conflict', 'refused', 'invalid_input'])

async function changedSince(
  { store }: ForetellingSession,
  { operation_id, seen }: PlanItem,
  now: Operation | null,
): Promise<ChangedSince | null> {
  if (now === null || seenOf(now).digest === seen.digest) return null
  const {
    decided = 'changed',
    by = null,
    at = null,
    because = null,
  } = await whoDecided(store, {
    operation_id,
    since: seen.version,
  })
  return { what: decided, by, at, because }
}

// What no commit has seen, no commit has kept on record.
const BEFORE_THE_COMMIT: ReadonlySet<string> = new Set(['as_planned', 'decision_unused'])

/** Keeps on record a refusal that came before the commit. */
export async function recordPlanRefusal(
  session: Session,
  { operation_id, decision }: PlanItem,
  { rule, message }: LedgerError,
): Promise<void> {
  if (rule === undefined || !BEFORE_THE_COMMIT.has(rule)) return
  await recordRefusal(
    session,
    { operation_id },
    { decision: decision.type, rule, why: message, reason: decision.reason },
  )
}

function usedElsewhere({ decision_id, operation_id }: PlanItem, on: string): LedgerError {
  return new LedgerError(
    'conflict',
    `decision ${decision_id} was carried out on ${on}, not on ${operation_id}`,
    {
      id: operation_id,
      rule: 'decision_unused',
      hint: 'Give each decision an id of its own.',
    },
  )
}

function anotherHistory({ operation_id, seen }: PlanItem): LedgerError {
  return new LedgerError(
    'conflict',
    `${operation_id} is at version ${seen.version} as it was, and is not the same: this ledger has another history`,
    { id: operation_id, rule: 'as_planned', hint: 'Was a backup restored? Look again and plan anew.' },
  )
}

function decisionJson(ask: Ask, mask: (text: string) => string): PlannedDecision {
  const reason = mask(ask.how.reason)
  if (ask.type === 'allow_retry') {
    const { acceptDuplicate } = ask.how
    return {
      type: ask.type,
      ...(acceptDuplicate === undefined ? {} : { accept_duplicate: mask(acceptDuplicate) }),
      reason,
    }
  }
  if (ask.type !== 'resolve') return { type: ask.type, reason }
  const { as, evidence = [], withoutEvidence, externalIds = [], result, early, otherTarget } = ask.how
  return {
    type: 'resolve',
    as,
    ...(evidence.length === 0 ? {} : { evidence: evidence.map(one => evidenceBody(one, mask)) }),
    reason,
    ...(withoutEvidence ? { without_evidence: true } : {}),
    ...(externalIds.length === 0 ? {} : { external_ids: externalIds.map(id => ({ ...id })) }),
    ...(result === undefined ? {} : { result }),
    ...(early ? { early: true } : {}),
    ...(otherTarget ? { other_target: true } : {}),
  }
}

/** The decision of a line of a plan in words of the verbs, for the version that was seen. */
export function askOf({ decision, decision_id, seen }: PlanItem): Ask {
  const base = { reason: decision.reason, decisionId: decision_id, expectVersion: seen.version }
  switch (decision.type) {
    case 'resolve':
      return { type: 'resolve', how: { ...base, ...resolveHow(decision) } }
    case 'allow_retry': {
      const { accept_duplicate } = decision
      return {
        type: 'allow_retry',
        how: {
          ...base,
          ...(typeof accept_duplicate === 'string' ? { acceptDuplicate: accept_duplicate } : {}),
        },
      }
    }
    default:
      return { type: decision.type, how: base }
  }
}

// The schema of a plan's lines has looked at every field.
function resolveHow(decision: JsonObject): Omit<ResolveOptions, 'reason'> {
  const { as, evidence, without_evidence, external_ids, result, early, other_target } = decision
  return {
    as: as === 'confirmed' ? 'confirmed' : 'not_executed',
    ...(Array.isArray(evidence) ? { evidence: evidence as readonly (string | KnownEvidence)[] } : {}),
    ...(without_evidence === true ? { withoutEvidence: true } : {}),
    ...(Array.isArray(external_ids) ? { externalIds: external_ids as unknown as readonly ExternalId[] } : {}),
    ...(result === undefined ? {} : { result: result satisfies JsonValue }),
    ...(early === true ? { early: true } : {}),
    ...(other_target === true ? { otherTarget: true } : {}),
  }
}

/** `resolve confirmed`, `abandon`. */
export function decisionWords({ type, as }: PlannedDecision): string {
  return typeof as === 'string' ? `${type} ${as}` : type
}
