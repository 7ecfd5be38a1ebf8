import { field, isList, isMarked, isObject, items, type Value } from './values.js'

/** A message of a conversation, as far as it asks for tools or answers them. */
export type Message =
  | {
      readonly kind: 'ai'
      readonly id: string | null
      readonly content: Value
      readonly calls: readonly ToolCall[]
    }
  | {
      readonly kind: 'tool'
      readonly id: string | null
      readonly callId: string
      readonly tool: string | null
      readonly content: Value
      readonly isError: boolean
    }

export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly args: Value
}

/** The messages in the value of a channel: one, or a list of them. What is none is left out. */
export function messagesIn(value: Value | undefined): Message[] {
  if (value === undefined) return []
  return (isList(value) ? value : [value]).flatMap(item => messageOf(item) ?? [])
}

// Classes of langchain-core in both languages, and what providers and older graphs keep as plain objects.
const KINDS: Readonly<Record<string, Message['kind']>> = {
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  ai: 'ai',
  assistant: 'ai',
  ToolMessage: 'tool',
  ToolMessageChunk: 'tool',
  tool: 'tool',
}

function messageOf(item: Value): Message | undefined {
  const fields = isMarked(item) ? item.fields : isObject(item) ? item : null
  if (fields === null) return undefined
  const name = isMarked(item) ? item.type.slice(item.type.lastIndexOf('.') + 1) : (fields.role ?? fields.type)
  const kind = typeof name === 'string' ? KINDS[name] : undefined
  const id = textOr(fields.id, null)
  const content = fields.content ?? null
  if (kind === 'ai') return { kind, id, content, calls: items(fields.tool_calls).flatMap(callOf) }
  if (kind !== 'tool' || typeof fields.tool_call_id !== 'string') return undefined
  return {
    kind,
    id,
    callId: fields.tool_call_id,
    tool: textOr(fields.name, null),
    content,
    isError: fields.status === 'error',
  }
}

/** `{id, name, args}`, or as OpenAI has it: `{id, function: {name, arguments}}` with the arguments as text. */
function callOf(value: Value): ToolCall[] {
  const fields: Value = isMarked(value) ? (value.fields ?? null) : value
  const called = field(fields, 'function')
  const [id, tool] = [field(fields, 'id'), field(fields, 'name') ?? field(called, 'name')]
  if (typeof id !== 'string' || typeof tool !== 'string') return []
  return [{ id, tool, args: field(fields, 'args') ?? argumentsOf(field(called, 'arguments')) }]
}

function argumentsOf(text: Value | undefined): Value {
  return text ?? null
}

function textOr<T>(value: Value | undefined, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

/** The calls of the last message that asks for any, which nothing in the list or in `later` answers. */
export function openCalls(messages: readonly Message[], later: readonly Message[]): readonly ToolCall[] {
  const asked = messages.findLast(message => message.kind === 'ai' && message.calls.length > 0)
  if (asked?.kind !== 'ai') return []
  const answered = new Set(
    [...messages, ...later].flatMap(message => (message.kind === 'tool' ? [message.callId] : [])),
  )
  return asked.calls.filter(({ id }) => !answered.has(id))
}

/** The id of the tool call that a task of its own was made for: `lg_tool_call` in JavaScript, `tool_call` in Python. */
export function callIdOf(args: Value | undefined): string | undefined {
  const call = field(args, 'lg_tool_call') ?? field(args, 'tool_call') ?? (isList(args) ? args[0] : args)
  const [id, name] = [field(call, 'id'), field(call, 'name')]
  return typeof id === 'string' && typeof name === 'string' ? id : undefined
}
