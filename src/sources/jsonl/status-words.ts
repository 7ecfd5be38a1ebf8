import type { AttemptEnd } from '../../core/attempt.js'
import type { OperationStatus } from '../../core/operation.js'

/** What a word for a status says. `end`: how its attempt ended; `none` = it says nothing of a sending, null = under way. */
interface WordRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly words: readonly string[]
  readonly status: OperationStatus
  readonly end: AttemptEnd | 'none' | null
}

/** Words of other programs for a status, and what they mean here. A word that is not listed is `unknown`. */
export const WORD_RULES: readonly WordRule[] = [
  {
    id: 'jsonl.prepared',
    title: 'it is written down and waits',
    reason: 'Nothing says that it was sent.',
    words: [
      ...['prepared', 'pending', 'queued', 'planned', 'created', 'scheduled', 'ready', 'new', 'waiting'],
      ...['waiting_approval', 'awaiting_approval', 'requires_approval', 'proposed', 'retry', 'retrying'],
    ],
    status: 'prepared',
    end: 'none',
  },
  {
    id: 'jsonl.in_flight',
    title: 'it is being sent',
    reason: 'It was announced, and no word came after.',
    words: [
      ...['in_flight', 'running', 'started', 'sent', 'sending', 'submitted', 'executing', 'in_progress'],
      ...['processing', 'active', 'attempting', 'attempted', 'claimed'],
    ],
    status: 'in_flight',
    end: null,
  },
  {
    id: 'jsonl.confirmed',
    title: 'it is done, by its record',
    reason: 'Whoever wrote the record says that it took effect.',
    words: [
      ...['confirmed', 'succeeded', 'success', 'successful', 'done', 'completed', 'complete', 'ok'],
      ...['committed', 'applied', 'executed', 'finished', 'delivered', 'published'],
    ],
    status: 'confirmed',
    end: 'applied',
  },
  {
    id: 'jsonl.undone',
    title: 'it is done, and was undone',
    reason: 'What was undone had taken effect.',
    words: ['compensated', 'compensating', 'undone', 'rolled_back', 'reverted', 'refunded'],
    status: 'confirmed',
    end: 'applied',
  },
  {
    id: 'jsonl.not_executed',
    title: 'it did not happen, by its record',
    reason: 'The word says that no attempt took effect, not that one failed.',
    words: ['not_executed', 'not_applied', 'not_sent', 'never_sent', 'not_performed', 'did_not_happen'],
    status: 'not_executed',
    end: 'not_applied',
  },
  {
    id: 'jsonl.failed',
    title: 'it failed, which says nothing of what it did',
    reason: 'A write that fails may have been carried out, and its answer lost.',
    words: [
      ...['failed', 'failure', 'fail', 'error', 'errored', 'timeout', 'timed_out', 'aborted', 'crashed'],
      ...['lost', 'interrupted', 'killed', 'exception', 'panicked', 'rejected', 'expired', 'dead'],
    ],
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'jsonl.unknown',
    title: 'its record says that nobody knows',
    reason: 'The other program was not certain either.',
    words: [
      ...['unknown', 'indeterminate', 'ambiguous', 'in_doubt', 'uncertain', 'unresolved', 'requires_review'],
      ...['needs_intervention', 'stalled', 'orphaned'],
    ],
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'jsonl.cancelled',
    title: 'it was called off',
    reason:
      'A cancel proves nothing undone: unless the record says that nothing was sent, it may have happened.',
    words: ['cancelled', 'canceled', 'denied', 'skipped', 'revoked', 'superseded'],
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'jsonl.abandoned',
    title: 'a person gave up asking',
    reason: 'The record says that nobody knows, and that it was decided to leave it so.',
    words: ['abandoned'],
    status: 'abandoned',
    end: 'ambiguous',
  },
]

/** What decides where no word does, or in its place. */
export const OTHER_RULES = [
  {
    id: 'jsonl.nothing_sent',
    title: 'it failed, and its record proves that nothing was sent',
    reason:
      'The record says so in a field of its own, or names an error that only comes before the first byte leaves, and no other attempt may have gone out.',
  },
  {
    id: 'jsonl.never_sent',
    title: 'it was called off, and its record says that nothing was sent',
    reason: 'No attempt was ever made: `attempt` is 0, or a field says that it was not sent.',
  },
  {
    id: 'jsonl.earlier_attempt',
    title: 'the last attempt certainly had no effect, and an earlier one may have',
    reason: 'A refusal of one attempt proves nothing of those before it.',
  },
  {
    id: 'jsonl.unlisted_word',
    title: 'the word for the status is not known',
    reason: 'What it means cannot be guessed; a warning names it.',
  },
] as const

const BY_WORD = new Map(WORD_RULES.flatMap(rule => rule.words.map(word => [word, rule])))

/** `In Flight`, `in-flight` and `IN_FLIGHT` are one word. */
export function wordRule(status: string): WordRule | undefined {
  return BY_WORD.get(
    status
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
}
