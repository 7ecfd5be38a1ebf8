import { notExecuted } from '../../core/classify/not-executed.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { operationId } from '../../core/operation-id.js'
import type { HandlerContext } from '../handler.js'
import { contractOf, type GuardingLedger, type ToolContract } from './guarded-call.js'
import { type Recovery, recoveryOf, toldModel } from './recovery.js'

export type { GuardingLedger, ToolContract } from './guarded-call.js'
export type { Recovery } from './recovery.js'

/** What is needed of a client of the Model Context Protocol; `Client` of `@modelcontextprotocol/sdk` 1.x fits. */
export interface McpClient {
  callTool(params: McpCall, schema?: undefined, options?: { signal?: AbortSignal }): Promise<unknown>
  /** where the client has one: the session is kept with the id of remote work, which no other session may see */
  readonly transport?: { readonly sessionId?: string | undefined } | undefined
}

export interface McpCall {
  readonly name: string
  readonly arguments?: Record<string, unknown>
  // The protocol lets a call carry further members, which are passed on.
  readonly [member: string]: unknown
}

export interface GuardCallToolOptions extends ToolContract {
  readonly task: string
  /** stands before the tool's name in the ledger and its configuration: `tickets` → `tickets.create` */
  readonly server?: string
  /** the argument that takes the idempotency key, where the server has one: the model then never makes it up */
  readonly keyArgument?: string
  /** codes of protocol errors that this server answers before anything happened, beside -32601 */
  readonly refusedCodes?: readonly number[]
  /** true: this `isError` answer says for certain that nothing happened */
  readonly isRefusal?: (answer: JsonObject) => boolean
}

/** Which call of the task this is. */
export interface McpCallAbout {
  readonly step?: string
  /** where one step makes the same call more than once on purpose */
  readonly n?: number
  readonly target?: string
  readonly signal?: AbortSignal
}

/** An answer as the protocol has it. */
export interface McpAnswer {
  readonly content: readonly JsonObject[]
  readonly isError?: boolean
  readonly structuredContent?: JsonObject
  readonly _meta?: JsonObject
}

/** Under this name an answer carries the recovery record in `_meta`. */
export const RECOVERY_META = 'agent-ledger/recovery'

/** JSON-RPC 2.0, 5.1: the method does not exist. The client of the SDK makes its other codes itself, after the answer. */
const METHOD_NOT_FOUND = -32601

/**
 * `client.callTool` through the ledger, for tools that write. The same task, step, tool and arguments are the same
 * operation. A call without a certain end answers with `isError` and a text for the model that says so; the recovery
 * record is in `_meta`. An answer with `isError`, a protocol error, a timeout and an answer that fails the tool's output
 * schema prove nothing; the id of an MCP task means that the server still works on it.
 */
export function guardCallTool(
  ledger: GuardingLedger,
  client: McpClient,
  options: GuardCallToolOptions,
): (params: McpCall, about?: McpCallAbout) => Promise<McpAnswer> {
  return async (params, { step, n, target, signal } = {}) => {
    const { task, server } = options
    const tool = server === undefined ? params.name : `${server}.${params.name}`
    // The ledger checks it: what JSON cannot hold is refused, and nothing is sent.
    const input = (params.arguments ?? {}) as JsonValue
    const named = { ...(step === undefined ? {} : { step }), ...(n === undefined ? {} : { n }) }
    const call = {
      ...contractOf(options),
      id: operationId({ task, tool, input, ...named }),
      task,
      tool,
      input,
      ...(step === undefined ? {} : { step }),
      ...(target === undefined ? {} : { target }),
    }
    const outcome = await ledger.run(call, context => called(client, { params, options, context, signal }))
    if (outcome.status === 'confirmed' || outcome.status === 'unrecorded')
      return outcome.result ?? { content: [] }
    return unfinished(recoveryOf(outcome, call), toldModel(outcome, call))
  }
}

interface Calling {
  readonly params: McpCall
  readonly options: GuardCallToolOptions
  readonly context: HandlerContext
  readonly signal: AbortSignal | undefined
}

async function called(client: McpClient, { params, options, context, signal }: Calling): Promise<McpAnswer> {
  const { keyArgument, refusedCodes = [], isRefusal } = options
  const keyed = keyArgument === undefined ? {} : { [keyArgument]: context.idempotencyKey }
  const sent = { ...params, arguments: { ...params.arguments, ...keyed } }
  const signals = signal === undefined ? [context.signal] : [context.signal, signal]
  // Read by hand below: the answer comes from somebody else's program.
  const answer = Object(
    await client.callTool(sent, undefined, { signal: AbortSignal.any(signals) }).catch(refused),
  )
  const remote: unknown = Object(answer.task).taskId
  if (typeof remote === 'string') {
    const session = client.transport?.sessionId
    await context.externalId('mcp_task', remote, session === undefined ? {} : { scope: `session ${session}` })
    throw new Error(`the server works on it as task ${remote}: ask for that before anything is sent again`)
  }
  if (answer.isError !== true) return answer
  if (isRefusal?.(answer) === true) throw notExecuted(`the tool refused it: ${textOf(answer)}`)
  throw new Error(`the tool answered with an error, which does not say how far it came: ${textOf(answer)}`)

  function refused(error: unknown): never {
    const code: unknown = Object(error).code
    const isRefused = code === METHOD_NOT_FOUND || refusedCodes.some(known => known === code)
    throw isRefused ? notExecuted(`the server refused it: ${String(Object(error).message)}`) : error
  }
}

function textOf({ content }: { readonly content?: unknown }): string {
  const texts = Array.isArray(content) ? content.map(part => Object(part).text) : []
  return texts.filter(text => typeof text === 'string').join(' ')
}

function unfinished(recovery: Recovery, text: string): McpAnswer {
  const record: JsonObject = JSON.parse(JSON.stringify(recovery))
  return { isError: true, content: [{ type: 'text', text }], _meta: { [RECOVERY_META]: record } }
}
