import { formatDuration } from '../../src/core/duration.js'
import { DEFAULT_LIMITS } from '../../src/core/stall/limits.js'
import { SILENCES } from '../../src/core/stall/silence.js'
import { STALL_RULES, TASK_STALL_RULES } from '../../src/core/stall/stalls.js'
import { table } from './with-block.js'

/** Every rule that calls an operation or a task stalled, with the limit that holds where nobody set one. */
export function stallRuleTable(): string {
  const limits: Readonly<Record<string, number>> = DEFAULT_LIMITS
  const rows = [
    ...STALL_RULES.map(rule => ['operation', rule] as const),
    ...TASK_STALL_RULES.map(rule => ['task', rule] as const),
  ].map(([of, { id, title, reason }]) => {
    const ms = limits[id]
    const limit = ms === undefined ? 'a fact, no limit' : ms === 0 ? 'at once' : formatDuration(ms)
    return [`\`${id}\``, of, title, reason, limit]
  })
  return table(['rule', 'of', 'when', 'why look', 'limit unless set'], rows)
}

/** What explains standing still, so that no rule about time speaks. */
export function silenceTable(): string {
  return table(
    ['silence', 'while'],
    SILENCES.map(({ id, title }) => [`\`${id}\``, title]),
  )
}
