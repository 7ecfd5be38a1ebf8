import type { AttemptEnd } from '../../core/attempt.js'
import type { JsonValue } from '../../core/json.js'
import type { OperationStatus } from '../../core/operation.js'
import { objectOf, textOf } from '../json-parts.js'
import type { CallEntry } from './entry.js'

/** A call with what came back. */
export interface Answered {
  readonly call: CallEntry
  readonly answer: { readonly result: JsonValue; readonly isError: boolean } | null
  /** a person's word on a call that waited for it */
  readonly approved: boolean | null
}

interface OutcomeRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly applies: (answered: Answered) => boolean
  readonly status: OperationStatus
  /** `none` = nothing was sent */
  readonly end: AttemptEnd | 'none'
}

/** What became of a tool call. The first rule that applies decides. Wording makes a result doubtful, never certain. */
export const OUTCOME_RULES: readonly OutcomeRule[] = [
  {
    id: 'transcript.denied',
    title: 'a person said no before it was sent',
    reason: 'The call waited for an approval, and the answer on record is a refusal.',
    applies: ({ approved }) => approved === false,
    status: 'not_executed',
    end: 'none',
  },
  {
    id: 'transcript.awaiting_approval',
    title: 'it waits for a person',
    reason: 'The service sends it only after an approval, and none is on record.',
    applies: ({ call, approved }) => call.by === 'approval' && approved === null,
    status: 'prepared',
    end: 'none',
  },
  {
    id: 'transcript.no_result',
    title: 'no result is on record',
    reason:
      'The call was written down before it was carried out, or its result was lost: both look the same.',
    applies: ({ answer }) => answer === null,
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'transcript.placeholder',
    title: 'the saved result is a placeholder',
    reason:
      'Programs write such a sentence where a result is missing, so that the model’s service takes the history.',
    applies: ({ answer }) => answer !== null && isPlaceholder(answer.result),
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'transcript.error_result',
    title: 'the result is marked as an error',
    reason: 'A tool that fails may have done a part, or lost the answer to what it sent.',
    applies: ({ answer }) => answer?.isError === true,
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'transcript.error_inside',
    title: 'the result holds an error',
    reason: 'It is not marked as one, but has a field that says so, or begins as errors begin.',
    applies: ({ answer }) => answer !== null && hasErrorInside(answer.result),
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'transcript.result',
    title: 'a result came back',
    reason: 'The tool answered, and nothing in the result speaks of an error.',
    applies: () => true,
    status: 'confirmed',
    end: 'applied',
  },
]

export function outcomeOf(answered: Answered): OutcomeRule {
  const rule = OUTCOME_RULES.find(({ applies }) => applies(answered))
  if (rule === undefined) throw new Error('the last rule applies to everything')
  return rule
}

/** Sentences that agents store in place of a result, as their users report them. */
const PLACEHOLDERS = [
  /\btool (?:call )?results? (?:is |are |was |were )?missing\b/i,
  /\bended before\b.{0,60}\b(?:complet|finish|return)/i,
  /\binterrupted (?:by|before)\b|\[request interrupted/i,
  /\btool (?:use|call|execution) (?:was )?(?:interrupted|aborted|cancell?ed)\b/i,
  /\bno (?:tool )?(?:result|response|output) (?:was |is )?(?:provided|received|recorded|available|found|returned)\b/i,
  /\bresults? (?:content )?(?:was |were |is )?(?:lost|unavailable|cleared|omitted|pruned)\b/i,
  /\brestart occurred\b|\bdid not complete\b/i,
  /^\[?(?:aborted|cancell?ed|interrupted)(?: by (?:the )?user)?\]?\.?$/i,
]
/** A result of a tool may quote such a sentence in the middle of a page. */
const LONGEST_PLACEHOLDER = 400

function isPlaceholder(result: JsonValue): boolean {
  const text = textOf(result)?.trim()
  return (
    text !== undefined &&
    text.length <= LONGEST_PLACEHOLDER &&
    PLACEHOLDERS.some(pattern => pattern.test(text))
  )
}

function hasErrorInside(result: JsonValue): boolean {
  const object = objectOf(result) ?? parsed(result)
  if (object === null)
    return /^\s*(?:error\b|traceback \(most recent|exception\b|failed\b)/i.test(textOf(result) ?? '')
  const { error, status } = object
  const hasError = error !== undefined && error !== null && error !== false && error !== ''
  const saysNo =
    object.ok === false || object.success === false || object.isError === true || object.is_error === true
  return hasError || saysNo || status === 'error' || status === 'failed'
}

function parsed(result: JsonValue) {
  if (typeof result !== 'string' || !result.trimStart().startsWith('{')) return null
  try {
    return objectOf(JSON.parse(result))
  } catch {
    return null
  }
}
