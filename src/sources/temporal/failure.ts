import type { JsonValue } from '../../core/json.js'
import { clipText } from '../bounded-json.js'
import { enumOf } from './enums.js'
import { field, fieldsOf, isFields, isTrue, textOf } from './fields.js'
import { payloadsOf } from './payload.js'

/** What the API calls a failure, without its stack trace. */
export interface Failure {
  readonly message: string
  readonly kind: FailureKind
  /** name of the error's class, where code threw it, or the type of a Nexus handler's error */
  readonly type: string | null
  readonly isNonRetryable: boolean
  readonly timeoutType: string | null
  /** the last heartbeat's details that a time-out or a reset kept: a lower bound of what was done */
  readonly heartbeat: JsonValue | null
  readonly cause: Failure | null
}

export type FailureKind =
  | 'application'
  | 'timeout'
  | 'canceled'
  | 'terminated'
  | 'server'
  | 'reset'
  | 'activity'
  | 'child'
  | 'nexus_operation'
  | 'nexus_handler'
  | 'unknown'

const INFOS: readonly (readonly [string, FailureKind])[] = [
  ['applicationFailureInfo', 'application'],
  ['timeoutFailureInfo', 'timeout'],
  ['canceledFailureInfo', 'canceled'],
  ['terminatedFailureInfo', 'terminated'],
  ['serverFailureInfo', 'server'],
  ['resetWorkflowFailureInfo', 'reset'],
  ['activityFailureInfo', 'activity'],
  ['childWorkflowExecutionFailureInfo', 'child'],
  ['nexusOperationExecutionFailureInfo', 'nexus_operation'],
  ['nexusHandlerFailureInfo', 'nexus_handler'],
]

// Deeper chains say nothing more to a person; a crafted file could otherwise nest without end.
const MOST_CAUSES = 8

export function failureOf(of: JsonValue | undefined, name: string, depth = 0): Failure | null {
  const value = field(of, name)
  if (typeof value === 'string') return { ...NOTHING, message: clipText(value, 2000) }
  if (!isFields(value)) return null
  const [key, kind] = INFOS.find(([info]) => fieldsOf(value, info) !== null) ?? ['', 'unknown']
  const info = fieldsOf(value, key) ?? undefined
  const heartbeat = payloadsOf(info, 'lastHeartbeatDetails')
  return {
    message: clipText(messageOf(value), 2000),
    kind,
    type: textOf(info, 'type')?.slice(0, 200) ?? null,
    isNonRetryable: isTrue(info, 'nonRetryable'),
    timeoutType: enumOf(info, 'timeoutType', 'timeoutType'),
    heartbeat,
    cause: depth < MOST_CAUSES ? failureOf(value, 'cause', depth + 1) : null,
  }
}

const NOTHING: Failure = {
  message: '',
  kind: 'unknown',
  type: null,
  isNonRetryable: false,
  timeoutType: null,
  heartbeat: null,
  cause: null,
}

/** In words: the message and those of its causes. */
export function failureText(failure: Failure): string {
  const said = [failure.type, failure.message].filter(part => part !== null && part !== '').join(': ')
  const own = said === '' ? failure.kind.replaceAll('_', ' ') : said
  return failure.cause === null ? own : clipText(`${own} (${failureText(failure.cause)})`, 2000)
}

/** Is there a time-out anywhere in it: then nobody saw how that attempt ended. */
export function isTimeout(failure: Failure): boolean {
  return failure.kind === 'timeout' || /\btime(?:d )?-?out\b/i.test(failure.message)
}

function messageOf(value: JsonValue): string {
  const message = textOf(value, 'message') ?? ''
  return field(value, 'encodedAttributes') === undefined
    ? message
    : `${message || 'a failure'} (encoded by the workers)`
}
