import { LedgerError } from '../../core/errors.js'
import type { CheckpointRef } from '../../core/operation.js'

/** Where in a graph a tool was called. */
export interface GraphPlace {
  readonly thread: string
  /** the same string when LangGraph runs the node again */
  readonly namespace: string
  readonly checkpoint: CheckpointRef
  /** which call of this tool it is within the node: the place in the message, else the id of the call */
  readonly ordinal: string
}

/**
 * Reads the place off the configuration that LangGraph hands to tools: `metadata` and `configurable` are its public
 * names; the tool call and the state are what ToolNode adds to them.
 * @throws LedgerError invalid_input outside of a graph with a thread
 */
export function placeOf(config: unknown, tool: string): GraphPlace {
  const thread = textAt(config, 'configurable', 'thread_id') ?? textAt(config, 'metadata', 'thread_id')
  const namespace = textAt(config, 'metadata', 'langgraph_checkpoint_ns')
  if (thread === null || namespace === null)
    throw new LedgerError('invalid_input', `${tool} was called outside of a graph with a thread`, {
      path: thread === null ? 'configurable.thread_id' : 'metadata.langgraph_checkpoint_ns',
      hint: 'Call it from a node of a compiled graph, with a checkpointer and configurable.thread_id.',
    })
  const node = textAt(config, 'metadata', 'langgraph_node')
  const step = at(at(config, 'metadata'), 'langgraph_step')
  const checkpoint_id = textAt(config, 'executionInfo', 'checkpointId')
  const task_id = textAt(config, 'executionInfo', 'taskId')
  return {
    thread,
    namespace,
    checkpoint: {
      source: 'langgraph',
      thread_id: thread,
      namespace,
      ...(node === null ? {} : { node }),
      ...(typeof step === 'number' ? { step } : {}),
      ...(checkpoint_id === null ? {} : { checkpoint_id }),
      ...(task_id === null ? {} : { task_id }),
    },
    ordinal: ordinalOf(config, tool),
  }
}

/** Empty where the tool was not called by a message: then a second call of it in one node needs an id of its own. */
function ordinalOf(config: unknown, tool: string): string {
  const id = textAt(config, 'toolCall', 'id')
  if (id === null) return ''
  const state = at(config, 'state')
  const messages = listOf(Array.isArray(state) ? state : at(state, 'messages'))
  for (const message of messages.toReversed()) {
    const calls = listOf(at(message, 'tool_calls')).filter(call => at(call, 'name') === tool)
    const place = calls.findIndex(call => at(call, 'id') === id)
    if (place !== -1) return `${place + 1}`
  }
  return id
}

function textAt(object: unknown, group: string, name: string): string | null {
  const value = at(at(object, group), name)
  return typeof value === 'string' && value !== '' ? value : null
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
