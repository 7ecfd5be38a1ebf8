import type { JsonObject, JsonValue } from '../../core/json.js'
import { callTarget } from '../call-target.js'
import { foreignTime } from '../foreign-time.js'
import { idOf, numberOf, objectOf, partOf, textOf } from '../json-parts.js'
import type { AnswerKind, Happening } from './happening.js'
import { effectOf, isInternalTool, isOnlyLook, shellUse } from './tools.js'

// Events of OpenHands up to its release 0.62 (openhands/events/serialization): `action` with `args`, or `observation`
// with `content` and `extras`; `cause` names the action that an observation answers.

/** Whether a JSON object is an event as V0 writes it. */
export function isV0Event(value: JsonObject): boolean {
  const isAction = typeof value.action === 'string' && objectOf(value.args) !== null
  const isObservation = typeof value.observation === 'string' && value.content !== undefined
  return (isAction || isObservation) && (value.source !== undefined || value.message !== undefined)
}

/** `id`: where the event stands, for the older form that has no ids. */
export function happeningsOfV0(event: JsonObject, id: string): readonly Happening[] {
  const at = foreignTime(event.timestamp)?.at ?? null
  if (typeof event.action === 'string') return action(event, event.action, idOf(event.id) ?? id, at)
  if (typeof event.observation === 'string') return observation(event, event.observation, at)
  return []
}

function action(event: JsonObject, name: string, id: string, at: number | null): Happening[] {
  const args = objectOf(event.args) ?? {}
  if (name === 'message') {
    const text = textOf(args.content) ?? textOf(event.message) ?? ''
    return [{ is: 'message', by: event.source === 'agent' ? 'agent' : 'person', text, at }]
  }
  if (name === 'condensation') return [{ is: 'condensation', summary: textOf(args.summary), at }]
  if (name === 'change_agent_state') {
    const word = textOf(args.agent_state)
    return word === null ? [] : [{ is: 'status', word, reason: null, at }]
  }
  const tool = name === 'call_tool_mcp' ? (textOf(args.name) ?? name) : name
  const input = inputOf(args)
  const finish: Happening[] = name === 'finish' ? [{ is: 'status', word: 'finished', reason: null, at }] : []
  return [
    {
      is: 'action',
      id,
      callId: idOf(partOf(event.tool_call_metadata ?? null, 'tool_call_id')),
      tool,
      input,
      effect: effectOf(input, name),
      target: callTarget(input),
      standing: STANDINGS.get(args.confirmation_state) ?? 'sent',
      isInternal: isInternalTool(name) || isOnlyLook(input, name),
      shell: shellUse(input, name),
      at,
    },
    ...finish,
  ]
}

const STANDINGS: ReadonlyMap<unknown, 'awaiting' | 'rejected'> = new Map([
  ['awaiting_confirmation', 'awaiting'],
  ['rejected', 'rejected'],
])

// What is said about the call, and changes while it waits, is no part of what was asked for.
const ASIDES = new Set(['thought', 'confirmation_state', 'security_risk', 'hidden'])

function inputOf(args: JsonObject): JsonValue {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !ASIDES.has(name)))
}

function observation(event: JsonObject, name: string, at: number | null): Happening[] {
  const extras = objectOf(event.extras) ?? {}
  const content = event.content ?? null
  if (name === 'agent_state_changed') {
    const word = textOf(extras.agent_state)
    return word === null ? [] : [{ is: 'status', word, reason: textOf(extras.reason), at }]
  }
  if (name === 'loop_detection')
    return [
      { is: 'status', word: 'stuck', reason: textOf(content), at },
      { is: 'finding', kind: 'finding', actionId: null, body: { what: 'stuck in a loop', ...extras }, at },
    ]
  if (name === 'condense') return [{ is: 'condensation', summary: textOf(content), at }]
  const actionId = idOf(event.cause)
  const callId = idOf(partOf(event.tool_call_metadata ?? null, 'tool_call_id'))
  // An error that answers nothing is told by the state that follows; a look-up of knowledge answers no tool.
  if ((actionId === null && callId === null && event.id !== undefined) || name === 'recall') return []
  const exitCode = numberOf(partOf(extras.metadata ?? null, 'exit_code')) ?? numberOf(extras.exit_code)
  const kind = kindOf(name, extras, { content, exitCode })
  return [
    {
      is: 'answer',
      actionId,
      callId,
      kind,
      exitCode: kind === 'done' ? exitCode : null,
      result: name === 'error' || name === 'user_rejected' ? null : { content, extras },
      text: kind === 'done' || kind === 'running' ? null : textOf(content),
      at,
    },
  ]
}

function kindOf(
  name: string,
  extras: JsonObject,
  { content, exitCode }: { content: JsonValue; exitCode: number | null },
): AnswerKind {
  if (name === 'user_rejected') return 'rejected'
  if (name === 'error')
    return /not_executed/i.test(textOf(extras.error_id) ?? '') ? 'not_executed_claim' : 'error'
  // "No new output after 30 seconds": OpenHands stopped waiting, the command did not stop.
  if (exitCode === -1) return 'running'
  if (name === 'run_ipython') return 'no_verdict'
  if (extras.error === true || (name === 'mcp' && isMcpError(content))) return 'failed'
  return 'done'
}

function isMcpError(content: JsonValue): boolean {
  try {
    return partOf(JSON.parse(String(content)), 'isError') === true
  } catch {
    return false
  }
}
