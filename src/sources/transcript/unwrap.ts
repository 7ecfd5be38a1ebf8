import type { JsonObject, JsonValue } from '../../core/json.js'
import { foreignTime } from '../foreign-time.js'
import { idOf, listOf, objectOf, textOf } from '../json-parts.js'
import { entriesOfMessage } from './blocks.js'
import type { Batch, Entry } from './entry.js'
import { entriesOfItem, isResponseItem } from './response-items.js'

/** What one value of a log holds. `delta`: a piece of a streamed answer; `none`: nothing of a conversation. */
export interface Unwrapped {
  readonly kind: 'messages' | 'delta' | 'none'
  readonly batches: readonly Batch[]
  /** what the log calls the conversation */
  readonly session: string | null
  /** of this very value, where it has one: a copy of it says nothing new */
  readonly id: string | null
  readonly at: number | null
}

const ROLES = new Set(['system', 'developer', 'user', 'human', 'assistant', 'ai', 'tool', 'function'])

/** Requests and answers, as loggers name the two halves of an exchange. */
const REQUESTS = ['request', 'req', 'request_body', 'kwargs', 'body', 'inputs']
const RESPONSES = ['response', 'res', 'response_body', 'completion', 'outputs']
const WRAPPERS = ['message', 'payload', 'msg', 'data', 'item']
const DEEPEST = 4

export function unwrap(value: JsonValue): Unwrapped {
  const object = objectOf(value)
  const nothing = { kind: 'none', batches: [], session: null, id: null, at: null } as const
  if (object === null) {
    const entries = listOf(value).flatMap(item => batchesOf(item, 1).flatMap(batch => batch.entries))
    return entries.length === 0
      ? nothing
      : { ...nothing, kind: 'messages', batches: [{ isHistory: true, entries }] }
  }
  const about = {
    session: SESSIONS.map(name => idOf(object[name])).find(id => id !== null) ?? null,
    id: idOf(object.uuid),
    at: TIMES.map(name => foreignTime(object[name])?.at).find(at => at !== undefined) ?? null,
  }
  if (isDelta(object)) return { kind: 'delta', batches: [], ...about }
  const batches = batchesOf(object, 0)
  return { kind: isConversation(object, 0) ? 'messages' : 'none', batches, ...about }
}

const SESSIONS = ['sessionId', 'session_id', 'conversation_id', 'conversationId', 'thread_id', 'threadId']
const TIMES = ['timestamp', 'created_at', 'createdAt', 'time', 'ts', 'created']

/** A piece of an answer that is streamed: the whole stands nowhere in it. */
function isDelta(object: JsonObject): boolean {
  const type = textOf(object.type) ?? ''
  return (
    object.object === 'chat.completion.chunk' ||
    /^(?:content_block_(?:start|delta|stop)|message_(?:start|delta|stop))$/.test(type) ||
    (/^response\./.test(type) && !/^response\.(?:completed|done|incomplete|failed)$/.test(type))
  )
}

/** Whether it is a message, an item, or something around them. */
function isConversation(object: JsonObject, depth: number): boolean {
  if (isMessage(object) || isResponseItem(object)) return true
  if (Array.isArray(object.messages) || Array.isArray(object.choices)) return true
  if (depth >= DEEPEST) return false
  const lists = [object.output, object.input]
  if (lists.some(list => listOf(list).some(item => isPart(item, depth)))) return true
  return [...WRAPPERS, ...REQUESTS, ...RESPONSES].some(name => {
    const inner = objectOf(object[name])
    return inner !== null && isConversation(inner, depth + 1)
  })
}

function isPart(item: JsonValue, depth: number): boolean {
  const object = objectOf(item)
  return object !== null && isConversation(object, depth + 1)
}

function isMessage(object: JsonObject): boolean {
  const hasContent =
    object.content !== undefined || object.tool_calls !== undefined || object.function_call !== undefined
  return typeof object.role === 'string' && ROLES.has(object.role) && hasContent
}

function batchesOf(value: JsonValue, depth: number): Batch[] {
  const object = objectOf(value)
  if (object === null || depth > DEEPEST) return []
  if (isMessage(object)) return [{ isHistory: false, entries: entriesOfMessage(object) }]
  if (isResponseItem(object)) return [{ isHistory: false, entries: entriesOfItem(object) }]
  const asked = [...listOf(object.messages), ...listOf(object.input)]
  const answered = [...listOf(object.choices), ...listOf(object.output)]
  const inRequest = REQUESTS.flatMap(name => batchesOf(object[name] ?? null, depth + 1))
  return [
    ...(asked.length === 0 ? [] : [history(asked.flatMap(item => batchesOf(item, depth + 1)))]),
    ...(inRequest.length === 0 ? [] : [history(inRequest)]),
    ...answered.flatMap(item => batchesOf(item, depth + 1)),
    ...RESPONSES.flatMap(name => batchesOf(object[name] ?? null, depth + 1)),
    ...WRAPPERS.flatMap(name => batchesOf(object[name] ?? null, depth + 1)),
  ]
}

function history(batches: readonly Batch[]): Batch {
  const entries: Entry[] = batches.flatMap(batch => batch.entries)
  return { isHistory: true, entries }
}
