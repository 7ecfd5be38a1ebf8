import type { JsonObject, JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import { idOf, listOf, objectOf, partOf, textOf } from '../json-parts.js'
import type { Entry } from './entry.js'

/** The entries of a message with a role: OpenAI chat completions, Anthropic messages, the AI SDK's model messages. */
export function entriesOfMessage(message: JsonObject): Entry[] {
  const role = textOf(message.role) ?? ''
  if (role === 'tool' || role === 'function') {
    const parts = listOf(message.content).flatMap(block => blockEntry(block))
    if (parts.some(({ is }) => is === 'result')) return parts
    const result = resultText(message.content ?? null)
    const isError = message.is_error === true || message.status === 'error'
    return [{ is: 'result', id: idOf(message.tool_call_id), name: textOf(message.name), result, isError }]
  }
  const blocks = typeof message.content === 'string' ? [] : listOf(message.content)
  const entries = blocks.flatMap(block => blockEntry(block))
  const text = typeof message.content === 'string' ? message.content : textsIn(blocks)
  const by =
    role === 'assistant' || role === 'ai'
      ? 'agent'
      : role === 'user' || role === 'human'
        ? 'person'
        : 'program'
  return [
    // A message of results alone says nothing by itself.
    ...(text === '' ? [] : [{ is: 'said', by, text } as const]),
    ...entries,
    ...listOf(message.tool_calls).flatMap(toolCall),
    ...(objectOf(message.function_call) === null ? [] : [functionCall(message.function_call ?? null)]),
  ]
}

function toolCall(given: JsonValue): Entry[] {
  const call = objectOf(given)
  if (call === null) return []
  // `function` of chat completions; `custom` for free text; LangChain writes name and args beside the id.
  const inner = objectOf(call.function) ?? objectOf(call.custom) ?? call
  const name = textOf(inner.name) ?? 'unknown tool'
  const input = argumentsOf(inner.arguments ?? inner.input ?? inner.args ?? null)
  return [{ is: 'call', id: idOf(call.id), name, input, by: 'client', outcome: null }]
}

function functionCall(given: JsonValue): Entry {
  const name = textOf(partOf(given, 'name')) ?? 'unknown tool'
  return {
    is: 'call',
    id: null,
    name,
    input: argumentsOf(partOf(given, 'arguments')),
    by: 'client',
    outcome: null,
  }
}

/** Content blocks of Anthropic, and parts of the AI SDK, that are calls or results. */
function blockEntry(given: JsonValue): Entry[] {
  const block = objectOf(given)
  const type = textOf(block?.type)
  if (block === null || type === null) return []
  if (/^(?:server_|mcp_)?tool_use$/.test(type) || type === 'tool-call')
    return [
      {
        is: 'call',
        id: idOf(block.id) ?? idOf(block.toolCallId),
        name: textOf(block.name) ?? textOf(block.toolName) ?? 'unknown tool',
        input: argumentsOf(block.input ?? block.args ?? null),
        by: 'client',
        outcome: null,
      },
    ]
  if (!/tool_result$/.test(type) && type !== 'tool-result') return []
  const content = block.content ?? block.output ?? block.result ?? null
  const isError =
    block.is_error === true || block.isError === true || /error/.test(textOf(partOf(content, 'type')) ?? '')
  return [
    {
      is: 'result',
      id: idOf(block.tool_use_id) ?? idOf(block.toolCallId),
      name: textOf(block.toolName),
      result: resultText(content),
      isError,
    },
  ]
}

/** Arguments as a value; a text that is no JSON, as a model that is cut off leaves, stays a text. */
export function argumentsOf(given: JsonValue): JsonValue {
  return typeof given === 'string' ? (parseForeignJson(given) ?? given) : given
}

/** A result of text blocks alone as their text. */
export function resultText(content: JsonValue): JsonValue {
  const blocks = listOf(content)
  const isText = blocks.length > 0 && blocks.every(block => typeof partOf(block, 'text') === 'string')
  return isText ? textsIn(blocks) : content
}

export function textsIn(blocks: readonly JsonValue[]): string {
  return blocks.flatMap(block => textOf(partOf(block, 'text')) ?? []).join('\n')
}
