import type { AttemptEnd } from '../../core/attempt.js'
import type { ImportedAttempt } from '../../core/imported.js'
import type { JsonObject } from '../../core/json.js'
import { foreignTime } from '../foreign-time.js'
import { countField, field, idField } from './fields.js'
import { codeOf, messageOf, whyNotSent } from './not-sent.js'
import { wordRule } from './status-words.js'

type Attempt = { -readonly [Name in keyof ImportedAttempt]: ImportedAttempt[Name] }

/**
 * Counts the attempts that the lines of one operation tell of: by their numbers where they have them, else one for each
 * line that begins a sending. What a line says last of an attempt holds; an earlier one that nobody closed is in doubt.
 */
export function createAttempts() {
  const attempts = new Map<number, Attempt>()
  let isUnderWay = false
  let highest = 0
  let shift = 0

  return {
    take(record: JsonObject, status: string, base: number): void {
      const rule = wordRule(status)
      const counted = countField(record, 'attempt')
      const end = rule === undefined ? 'ambiguous' : endOf(record, rule.end, rule.id)
      if (end === 'none' ? (counted ?? 0) === 0 : isNeverSent(record, rule?.id)) {
        isUnderWay = false
        return
      }
      // A sending with the number 0: this program counts from there.
      if (counted === 0) shift = 1
      const given = counted === null ? null : counted + shift
      const n = base + (given ?? (isUnderWay ? highest - base : highest - base + 1))
      highest = Math.max(highest, n)
      // Waiting for another try: the attempts that are counted went out, and nobody says how they ended.
      const attempt = attempts.get(n) ?? empty(n)
      if (end !== 'none') {
        isUnderWay = end === null
        attempts.set(n, updated(attempt, record, end))
      } else if (!attempts.has(n)) attempts.set(n, { ...attempt, end: 'ambiguous' })
    },
    highest: () => highest,
    all(): ImportedAttempt[] {
      return Array.from({ length: Math.min(highest, MOST) }, (_, index) => {
        const n = index + 1
        const found = attempts.get(n) ?? { ...empty(n), end: 'ambiguous' as const, error: NOT_RECORDED }
        // Another was begun after it, so nobody waits for this one any more.
        return found.end === null && n < highest ? { ...found, end: 'ambiguous' as const } : found
      })
    },
  }
}

/** More than any program makes; a number beyond it is a mistake. */
const MOST = 1_000
const NOT_RECORDED = { message: 'a later attempt counts it, and no line tells of it' }

function empty(n: number): Attempt {
  return { n, owner: null, sent_at: null, ended_at: null, end: null, error: null }
}

function endOf(
  record: JsonObject,
  end: AttemptEnd | 'none' | null,
  rule: string,
): AttemptEnd | 'none' | null {
  const mayProve = rule === 'jsonl.failed' || rule === 'jsonl.cancelled'
  return mayProve && whyNotSent(record) !== null ? 'not_applied' : end
}

function isNeverSent(record: JsonObject, rule: string | undefined): boolean {
  return rule === 'jsonl.cancelled' && (whyNotSent(record) !== null || countField(record, 'attempt') === 0)
}

function updated(attempt: Attempt, record: JsonObject, end: AttemptEnd | null): Attempt {
  const at = foreignTime(field(record, 'at'))?.at ?? null
  const sent = foreignTime(field(record, 'startedAt'))?.at ?? attempt.sent_at ?? (end === null ? at : null)
  const ended = end === null ? null : (foreignTime(field(record, 'endedAt'))?.at ?? at)
  const message = end === null || end === 'applied' ? null : messageOf(record)
  const code = codeOf(record)
  return {
    n: attempt.n,
    owner: idField(record, 'owner') ?? attempt.owner,
    sent_at: sent,
    ended_at: ended !== null && sent !== null && ended < sent ? null : ended,
    end,
    error: message === null ? null : { message, ...(code === null ? {} : { code }) },
  }
}
