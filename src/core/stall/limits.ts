import type { Operation } from '../operation.js'

/**
 * Limits in time. Configuration names them so, in milliseconds. `polling` is that of the loop rules for a tool that
 * asks again and again on purpose: how long its answer may stay the same.
 */
export const LIMITED_RULES = [
  'heartbeat_lost',
  'attempt_overdue',
  'deadline_passed',
  'retry_overdue',
  'never_sent',
  'no_progress',
  'evidence_expires',
  'polling',
] as const
export type LimitedRule = (typeof LIMITED_RULES)[number]

/** Rules whose limit is a number of actions in a row. */
export const COUNTED_RULES = [
  'loop_same_action_same_result',
  'loop_same_action_error',
  'loop_monologue',
  'loop_alternating',
  'loop_context_window',
] as const
export type CountedRule = (typeof COUNTED_RULES)[number]

type Limits = Readonly<Partial<Record<LimitedRule | CountedRule, number>>>

/** `stall:` of agent-ledger.yaml. What a tool declares stands in its operations' rows (`contract.stall`). */
export interface StallConfig {
  readonly defaults?: Limits
  readonly phases?: Readonly<Record<string, Limits>>
}

/** Who set a limit, nearest first: the tool, its time-out, the phase, the configuration, this program. */
export const LIMIT_ORIGINS = ['tool', 'timeout', 'phase', 'config', 'default'] as const
export type LimitOrigin = (typeof LIMIT_ORIGINS)[number]

export interface Limit {
  readonly ms: number
  readonly from: LimitOrigin
}

/** So many actions, and not a time. */
export interface CountLimit {
  readonly count: number
  readonly from: LimitOrigin
}

/**
 * Limits where nobody set any. A lease is 60 s and renewed every 20 s: after three whole leases a late beat or two is
 * no explanation any more. The others leave room for what is usual and are meant to be set for each tool.
 */
export const DEFAULT_LIMITS: Readonly<Record<LimitedRule, number>> = {
  heartbeat_lost: 3 * 60_000,
  attempt_overdue: 15 * 60_000,
  deadline_passed: 0,
  retry_overdue: 5 * 60_000,
  never_sent: 15 * 60_000,
  no_progress: 60 * 60_000,
  // before the end, and at most a third of what is kept
  evidence_expires: 7 * 24 * 60 * 60_000,
  polling: 60 * 60_000,
}

/**
 * The thresholds of the stuck detector of OpenHands, whose users tuned them. It has none for condensations that follow
 * each other with nothing between; three shrinkings of a context that nothing was added to cannot be work.
 */
export const DEFAULT_COUNTS: Readonly<Record<CountedRule, number>> = {
  loop_same_action_same_result: 4,
  loop_same_action_error: 3,
  loop_monologue: 3,
  loop_alternating: 6,
  loop_context_window: 3,
}

type LimitedRow = Pick<Operation, 'contract' | 'timeout_ms' | 'phase'>

/** The limit of a rule for one operation, and where it comes from. A time-out limits an attempt and nothing else. */
export function limitOf(rule: LimitedRule, operation: LimitedRow, config: StallConfig): Limit {
  const timeout = rule === 'attempt_overdue' ? operation.timeout_ms : null
  const phase = operation.phase === null ? undefined : ownOf(config.phases, operation.phase)
  const found: readonly (readonly [LimitOrigin, number | null | undefined])[] = [
    ['tool', operation.contract.stall?.[rule]],
    ['timeout', timeout],
    ['phase', phase?.[rule]],
    ['config', config.defaults?.[rule]],
  ]
  for (const [from, ms] of found) {
    if (ms !== undefined && ms !== null) return { ms, from }
  }
  return { ms: DEFAULT_LIMITS[rule], from: 'default' }
}

/** The limit of a rule for a task, which has no tool: that of the phase that runs now, else of the configuration. */
export function taskLimitOf(rule: LimitedRule, config: StallConfig, phase: string | null = null): Limit {
  const ofPhase = phase === null ? undefined : ownOf(config.phases, phase)?.[rule]
  if (ofPhase !== undefined) return { ms: ofPhase, from: 'phase' }
  const ms = config.defaults?.[rule]
  return ms === undefined ? { ms: DEFAULT_LIMITS[rule], from: 'default' } : { ms, from: 'config' }
}

/** How many actions in a row a rule allows; `declared` is what the contract of their tool says. */
export function countOf(
  rule: CountedRule,
  {
    declared,
    config,
    phase,
  }: { readonly declared: Limits | null; readonly config: StallConfig; readonly phase: string | null },
): CountLimit {
  const found: readonly (readonly [LimitOrigin, number | undefined])[] = [
    ['tool', declared?.[rule]],
    ['phase', phase === null ? undefined : ownOf(config.phases, phase)?.[rule]],
    ['config', config.defaults?.[rule]],
  ]
  for (const [from, count] of found) if (count !== undefined) return { count, from }
  return { count: DEFAULT_COUNTS[rule], from: 'default' }
}

/** What moved after this moment stands still by no limit that holds for every tool. */
export function quietSince({ defaults = {}, phases = {} }: StallConfig, now: number): number {
  const limits = [DEFAULT_LIMITS, defaults, ...Object.values(phases)]
  const ofEvents = ['heartbeat_lost', 'attempt_overdue', 'never_sent', 'no_progress'] as const
  return now - Math.min(...limits.flatMap(limit => ofEvents.map(rule => limit[rule] ?? Infinity)))
}

const ORIGIN_WORDS: Readonly<Record<LimitOrigin, string>> = {
  tool: 'set for its tool',
  timeout: "the tool's time-out",
  phase: 'set for its phase',
  config: 'set in the configuration',
  default: 'the default',
}

export function originWords(from: LimitOrigin): string {
  return ORIGIN_WORDS[from]
}

// Phases are named by people: one named `constructor` is no limit that every object has.
function ownOf(phases: StallConfig['phases'], name: string): Limits | undefined {
  return phases !== undefined && Object.hasOwn(phases, name) ? phases[name] : undefined
}
