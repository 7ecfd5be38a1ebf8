import { type Action, fingerprintOf } from '../action.js'
import { formatAge, formatDuration } from '../duration.js'
import { isoTime } from '../iso-time.js'
import { type CountedRule, type CountLimit, countOf, type Limit, originWords, taskLimitOf } from './limits.js'
import type { Finding, TaskSubject } from './rule.js'

// A loop is seen in what came back, not in what was asked: a changed answer is something new, and starts the count
// again. So does progress with its evidence, and a word from a person.

/** What counts for loops, oldest first: after the last word of a person and the last progress. */
export function sinceReset({ task, recent }: TaskSubject): readonly Action[] {
  const actions = recent?.actions ?? []
  const spoken = actions.findLastIndex(({ kind }) => kind === 'input')
  const { progress_at } = task
  return actions.slice(spoken + 1).filter(({ at }) => progress_at === null || at > progress_at)
}

/** Tool calls alone: what an agent says between them excuses no repetition. */
export function callsSince(subject: TaskSubject): readonly Action[] {
  return sinceReset(subject).filter(({ kind }) => kind === 'tool')
}

/** Nobody told what came back: that says nothing, neither for nor against a loop. */
export function isAnswered({ result_digest, outcome }: Action): boolean {
  return result_digest !== null || outcome !== null
}

export function isSameStep(a: Action, b: Action): boolean {
  return fingerprintOf(a) === fingerprintOf(b)
}

/** The newest actions that all are as `is` says, oldest first. */
export function tailOf(actions: readonly Action[], is: (action: Action) => boolean): readonly Action[] {
  const last = actions.findLastIndex(action => !is(action))
  return actions.slice(last + 1)
}

export function timesOf(actions: readonly Action[]): number {
  return actions.reduce((sum, { times }) => sum + times, 0)
}

interface Loop {
  readonly rule: CountedRule
  /** the actions that repeat, oldest first */
  readonly actions: readonly Action[]
  readonly times: number
  /** `same call, same answer`: the numbers follow */
  readonly what: string
  readonly facts?: Finding['facts']
  /** how many are needed, where that is not the limit itself */
  readonly needed?: (limit: number) => number
}

/**
 * A finding when there are as many as the limit allows. Where asking again is the tool's way (`polling`), or the agent
 * declared that it waits between, time decides and not the count.
 */
export function loopFound(subject: TaskSubject, loop: Loop): Finding | null {
  const { config, recent } = subject
  const { actions, times, rule } = loop
  const [first] = actions
  const newest = actions.at(-1)
  if (first === undefined || newest === undefined) return null
  const limit = countOf(rule, { declared: newest.stall, config, phase: recent?.phase ?? null })
  if (times < (loop.needed?.(limit.count) ?? limit.count)) return null
  const patience = patienceOf(actions, subject)
  const lasted = newest.at - first.first_at
  if (patience !== null && lasted <= patience.ms) return null
  return {
    since: first.first_at,
    limit: patience ?? limit,
    reason: `${loop.what}, ${times} times in ${formatAge(lasted)}: ${newest.excerpt}; ${limitWords(patience ?? limit)}`,
    facts: { times, first_at: isoTime(first.first_at), last_at: isoTime(newest.at), ...loop.facts },
  }
}

function limitWords(limit: Limit | CountLimit): string {
  return 'ms' in limit
    ? `it is asked again on purpose, and its answer may stay the same for ${formatDuration(limit.ms)}, ${originWords(limit.from)}`
    : `the limit is ${limit.count}, ${originWords(limit.from)}`
}

/** Null: no tool among them polls and nobody waited. */
function patienceOf(actions: readonly Action[], { config, recent }: TaskSubject): Limit | null {
  const declared = actions.flatMap(({ stall }) => stall?.polling ?? [])
  if (declared.length > 0) return { ms: Math.max(...declared), from: 'tool' }
  const isWaiting = actions.some(({ wait_until }) => wait_until !== null)
  return isWaiting ? taskLimitOf('polling', config, recent?.phase ?? null) : null
}
