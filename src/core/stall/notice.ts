import { canonicalize, sha256 } from '../digest.js'
import type { Stall, StallRuleId } from './rule.js'

/** What a supervisor found and told, so that it tells it once. Times are milliseconds since 1970 UTC. */
export interface Notice {
  readonly subject: 'operation' | 'task'
  readonly subject_id: string
  readonly rule: string
  readonly task_id: string
  /** over what the finding rests on: another one is another notice */
  readonly evidence: string
  readonly reason: string
  readonly stage: 'noticed' | 'suspended' | 'ended'
  readonly noticed_at: number
  /** null: this rule is told of and leads to nothing */
  readonly grace_until: number | null
  readonly seen_at: number
  readonly changed_at: number
  /** operations that notified somebody of it */
  readonly told: readonly string[]
}

/** A rule that speaks, and of what. */
export interface Found {
  readonly subject: Notice['subject']
  readonly subject_id: string
  readonly task_id: string
  readonly stall: Stall
}

/**
 * Rules after which a task is fenced off when the grace is over: what it does then is harm or nothing. The others name
 * something that a person decides, or that waits for its own retry.
 */
export const SUSPENDING_RULES: readonly StallRuleId[] = [
  'loop_same_action_same_result',
  'loop_same_action_error',
  'loop_alternating',
  'loop_monologue',
  'loop_context_window',
  'no_progress',
  'budget_spent',
  'heartbeat_lost',
]

export interface Policy {
  readonly grace_ms: number
  readonly suspends: readonly string[]
}

export type NoticeMove =
  /** new, or on new evidence */
  | { readonly type: 'notice'; readonly notice: Notice }
  /** the grace is over and nothing changed */
  | { readonly type: 'suspend'; readonly notice: Notice }
  /** the rule does not speak any more */
  | { readonly type: 'end'; readonly notice: Notice }

interface Deciding {
  readonly found: readonly Found[]
  /** those that have not ended */
  readonly open: readonly Notice[]
  readonly now: number
  readonly policy: Policy
}

/** What follows from what is found now and what was told before. Pure: nothing found twice is told twice. */
export function decideNotices({ found, open, now, policy }: Deciding): readonly NoticeMove[] {
  const known = new Map(open.map(notice => [keyOf(notice), notice]))
  const seen = new Set<string>()
  const moves: NoticeMove[] = []
  for (const one of found) {
    const key = keyOf({ ...one, rule: one.stall.rule })
    seen.add(key)
    const before = known.get(key)
    const evidence = evidenceOf(one.stall)
    if (before === undefined || before.evidence !== evidence) {
      moves.push({ type: 'notice', notice: noticeOf(one, { evidence, now, policy }) })
    } else if (before.stage === 'noticed' && before.grace_until !== null && now >= before.grace_until) {
      const after = { stage: 'suspended', seen_at: now, changed_at: now, reason: one.stall.reason } as const
      moves.push({ type: 'suspend', notice: { ...before, ...after } })
    }
  }
  for (const notice of open)
    if (!seen.has(keyOf(notice)))
      moves.push({ type: 'end', notice: { ...notice, stage: 'ended', changed_at: now } })
  return moves
}

export function keyOf({
  subject,
  subject_id,
  rule,
}: Pick<Notice, 'subject' | 'subject_id' | 'rule'>): string {
  return JSON.stringify([subject, subject_id, rule])
}

function noticeOf(
  { subject, subject_id, task_id, stall }: Found,
  { evidence, now, policy }: { evidence: string; now: number; policy: Policy },
): Notice {
  return {
    subject,
    subject_id,
    task_id,
    rule: stall.rule,
    evidence,
    reason: stall.reason,
    stage: 'noticed',
    noticed_at: now,
    grace_until: policy.suspends.includes(stall.rule) ? now + policy.grace_ms : null,
    seen_at: now,
    changed_at: now,
    told: [],
  }
}

/** Numbers that grow while the same thing goes on are no new evidence. */
const GROWING: ReadonlySet<string> = new Set(['times', 'last_at', 'spent'])

function evidenceOf({ rule, since, facts = {} }: Stall): string {
  const steady = Object.fromEntries(Object.entries(facts).filter(([name]) => !GROWING.has(name)))
  return sha256(canonicalize([rule, since, steady]))
}
