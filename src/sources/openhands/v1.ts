import type { JsonObject, JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { callTarget } from '../call-target.js'
import { foreignTime } from '../foreign-time.js'
import { idOf, listOf, numberOf, objectOf, partOf, textOf } from '../json-parts.js'
import type { ActionSeen, AnswerKind, AnswerSeen, Happening } from './happening.js'
import { effectOf, isInternalTool, isOnlyLook, shellUse } from './tools.js'

// Events of the SDK (software-agent-sdk, openhands/sdk/event), read in release 1.58.2: one JSON object an event, told
// apart by `kind`. A kind that is not here says nothing of an action.

/** Whether a JSON object is an event as V1 writes it. */
export function isV1Event(value: JsonObject): boolean {
  return (
    typeof value.kind === 'string' &&
    typeof value.id === 'string' &&
    typeof value.timestamp === 'string' &&
    typeof value.source === 'string'
  )
}

type Reader = (event: JsonObject, at: number | null) => readonly Happening[]

const READERS: Readonly<Record<string, Reader>> = {
  ActionEvent: action,
  NonExecutableActionEvent: action,
  ObservationEvent: observation,
  UserRejectObservation: rejection,
  AgentErrorEvent: agentError,
  MessageEvent: message,
  Condensation: (event, at) => [{ is: 'condensation', summary: textOf(event.summary), at }],
  ConversationStateUpdateEvent: stateUpdate,
  ConversationErrorEvent: (event, at) => [
    finding(at, 'finding', {
      what: 'the conversation ended in an error',
      ...only(event, ['code', 'detail']),
    }),
  ],
  PauseEvent: (_, at) => [finding(at, 'remark', { what: 'a person paused the conversation' })],
  InterruptEvent: (_, at) => [finding(at, 'remark', { what: 'a person interrupted the conversation' })],
  HookExecutionEvent: hook,
  ACPToolCallEvent: acpCall,
}

export function happeningsOfV1(event: JsonObject): readonly Happening[] {
  const reader = Object.hasOwn(READERS, String(event.kind)) ? READERS[String(event.kind)] : undefined
  return reader?.(event, foreignTime(event.timestamp)?.at ?? null) ?? []
}

function action(event: JsonObject, at: number | null): Happening[] {
  const call = objectOf(event.tool_call)
  const input = objectOf(event.action) ?? argumentsOf(call)
  const tool = textOf(event.tool_name) ?? textOf(call?.name) ?? 'unknown tool'
  const kind = textOf(partOf(input, 'kind'))
  const id = textOf(event.id)
  if (id === null) return []
  return [
    {
      is: 'action',
      id,
      callId: textOf(event.tool_call_id),
      tool,
      input,
      effect: effectOf(input, tool, kind),
      target: callTarget(input),
      standing: objectOf(event.action) === null ? 'not_valid' : 'sent',
      isInternal: isInternalTool(tool, kind) || isOnlyLook(input, tool),
      shell: shellUse(input, tool),
      at,
    },
  ]
}

function argumentsOf(call: JsonObject | null): JsonValue {
  const text = textOf(call?.arguments)
  if (text === null) return call?.arguments ?? null
  return parseForeignJson(text) ?? text
}

function observation(event: JsonObject, at: number | null): Happening[] {
  const found = objectOf(event.observation) ?? {}
  const exitCode = numberOf(found.exit_code) ?? numberOf(partOf(found.metadata ?? null, 'exit_code'))
  const isError = found.is_error === true || textOf(found.error) !== null
  // A refused command has no exit code of its own, and -1 in its metadata.
  const isRunning = !isError && (exitCode === -1 || found.timeout === true)
  const kind = isRunning ? 'running' : isError ? 'failed' : 'done'
  const text = isError ? (textOf(found.error) ?? textIn(found.content)) : null
  return [answer(event, { kind, exitCode: isRunning || isError ? null : exitCode, result: found, text, at })]
}

function rejection(event: JsonObject, at: number | null): Happening[] {
  const by = textOf(event.rejection_source) ?? 'user'
  const text = `${by === 'hook' ? 'a hook' : 'a person'}: ${textOf(event.rejection_reason) ?? 'no reason is recorded'}`
  return [answer(event, { kind: 'rejected', exitCode: null, result: null, text, at })]
}

// The texts of event_service.py and local_conversation.py; any other error is one that the agent met.
function agentError(event: JsonObject, at: number | null): Happening[] {
  const text = textOf(event.error) ?? 'no text'
  const kind = /restart occurred/i.test(text)
    ? 'restart'
    : /interrupted before completion/i.test(text)
      ? 'interrupted'
      : 'error'
  return [answer(event, { kind, exitCode: null, result: null, text, at })]
}

function answer(
  event: JsonObject,
  found: {
    kind: AnswerKind
    exitCode: number | null
    result: JsonValue
    text: string | null
    at: number | null
  },
): AnswerSeen {
  return { is: 'answer', actionId: textOf(event.action_id), callId: textOf(event.tool_call_id), ...found }
}

function message(event: JsonObject, at: number | null): Happening[] {
  const by = event.source === 'agent' ? 'agent' : event.source === 'user' ? 'person' : 'program'
  return [{ is: 'message', by, text: textIn(partOf(event, 'llm_message'), 'content'), at }]
}

function stateUpdate(event: JsonObject, at: number | null): Happening[] {
  const value = event.key === 'full_state' ? partOf(event.value ?? null, 'execution_status') : event.value
  const isStatus =
    event.key === 'full_state' || event.key === 'execution_status' || event.key === 'agent_status'
  const word = isStatus ? textOf(value) : null
  return word === null ? [] : [{ is: 'status', word, reason: null, at }]
}

function hook(event: JsonObject, at: number | null): Happening[] {
  if (event.blocked !== true) return []
  const body = { what: 'a hook blocked it', ...only(event, ['hook_event_type', 'tool_name', 'reason']) }
  return [{ ...finding(at, 'remark', body), actionId: textOf(event.action_id) }]
}

/** The same call comes again with each change of its status; the last one counts. */
function acpCall(event: JsonObject, at: number | null): Happening[] {
  const callId = idOf(event.tool_call_id)
  if (callId === null) return []
  const tool = textOf(event.tool_kind) ?? 'acp'
  const input = event.raw_input ?? { title: event.title ?? null }
  const seen: ActionSeen = {
    is: 'action',
    id: `acp:${callId}`,
    callId,
    tool,
    input,
    effect: ['read', 'search', 'fetch'].includes(tool) ? 'read' : null,
    target: callTarget(input),
    standing: 'sent',
    isInternal: tool === 'think',
    shell: null,
    at,
  }
  const failed = event.is_error === true || event.status === 'failed'
  if (!failed && event.status !== 'completed') return [seen]
  const result = event.raw_output ?? event.content ?? null
  const text = failed ? (textOf(event.raw_output) ?? 'the call failed') : null
  return [
    seen,
    {
      is: 'answer',
      actionId: seen.id,
      callId,
      kind: failed ? 'failed' : 'done',
      exitCode: null,
      result,
      text,
      at,
    },
  ]
}

function finding(
  at: number | null,
  kind: 'finding' | 'remark',
  body: JsonValue,
): Happening & { is: 'finding' } {
  return { is: 'finding', kind, actionId: null, body, at }
}

function only(event: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap(name => (event[name] === undefined ? [] : [[name, event[name]]])))
}

/** The texts of content blocks. */
function textIn(value: JsonValue | undefined, name?: string): string {
  const content = name === undefined ? value : partOf(value ?? null, name)
  if (typeof content === 'string') return content
  return listOf(content)
    .map(block => textOf(partOf(block, 'text')) ?? '')
    .join('\n')
}
