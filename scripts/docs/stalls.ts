import { formatDuration } from '../../src/core/duration.js'
import { PHASE_RULES } from '../../src/core/phase.js'
import { DEFAULT_COUNTS, DEFAULT_LIMITS } from '../../src/core/stall/limits.js'
import { SUSPENDING_RULES } from '../../src/core/stall/notice.js'
import { SILENCES } from '../../src/core/stall/silence.js'
import { STALL_RULES, TASK_STALL_RULES } from '../../src/core/stall/stalls.js'
import { TASK_SILENCES } from '../../src/core/stall/task-silence.js'
import { VOLATILE_TEXTS } from '../../src/core/stall/volatile.js'
import { PAUSES } from '../../src/core/task-pauses.js'
import { table } from './with-block.js'

/** Every rule that calls an operation or a task stalled, with the limit that holds where nobody set one. */
export function stallRuleTable(): string {
  const limits: Readonly<Record<string, number>> = DEFAULT_LIMITS
  const counts: Readonly<Record<string, number>> = DEFAULT_COUNTS
  const suspending: readonly string[] = SUSPENDING_RULES
  const rows = [
    ...STALL_RULES.map(rule => ['operation', rule] as const),
    ...TASK_STALL_RULES.map(rule => ['task', rule] as const),
  ].map(([of, { id, title, reason }]) => {
    const [ms, count] = [limits[id], counts[id]]
    const byTime = ms === undefined ? 'a fact, no limit' : ms === 0 ? 'at once' : formatDuration(ms)
    const limit = count === undefined ? byTime : `${count} in a row`
    return [`\`${id}\``, of, title, reason, limit, suspending.includes(id) ? 'suspends' : 'tells']
  })
  return table(['rule', 'of', 'when', 'why look', 'limit unless set', '`watch`'], rows)
}

/** What explains standing still, so that no rule about time speaks. */
export function silenceTable(): string {
  return table(
    ['silence', 'while'],
    SILENCES.map(({ id, title }) => [`\`${id}\``, title]),
  )
}

/** The same of a task, where it answers the rules about loops too. */
export function taskSilenceTable(): string {
  return table(
    ['silence', 'while'],
    TASK_SILENCES.map(({ id, title }) => [`\`${id}\``, title]),
  )
}

/** What is left out of a result before it is compared. */
export function volatileTable(): string {
  return table(
    ['left out', 'what it is'],
    VOLATILE_TEXTS.map(({ id, title }) => [`\`${id}\``, title]),
  )
}

/** Why a task does not run, and what lets it run again. */
export function pauseTable(): string {
  return table(
    ['status', 'means', 'runs again when'],
    PAUSES.map(({ status, title, resumes }) => [`\`${status}\``, title, resumes]),
  )
}

/** What keeps a phase from being reused. */
export function phaseRuleTable(): string {
  return table(
    ['rule', 'when', 'then it is'],
    PHASE_RULES.map(({ id, title, state }) => [`\`${id}\``, title, state.replace('_', ' ')]),
  )
}
