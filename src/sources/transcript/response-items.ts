import type { JsonObject, JsonValue } from '../../core/json.js'
import { idOf, textOf } from '../json-parts.js'
import { argumentsOf, resultText } from './blocks.js'
import type { Entry } from './entry.js'

/** Whether an object is an item of OpenAI's responses: a call, its output, or an approval. */
export function isResponseItem(item: JsonObject): boolean {
  const type = textOf(item.type) ?? ''
  return (
    /_call(?:_output)?$/.test(type) || type === 'mcp_approval_request' || type === 'mcp_approval_response'
  )
}

export function entriesOfItem(item: JsonObject): Entry[] {
  const type = textOf(item.type) ?? ''
  if (type === 'mcp_approval_request') return [{ ...call(item, idOf(item.id)), by: 'approval' }]
  if (type === 'mcp_approval_response')
    return [{ is: 'approval', id: idOf(item.approval_request_id), approved: item.approve === true }]
  if (type.endsWith('_output')) {
    const isError = item.status === 'failed' || item.status === 'incomplete'
    const result = resultText(item.output ?? null)
    return [{ is: 'result', id: idOf(item.call_id) ?? idOf(item.id), name: null, result, isError }]
  }
  // What has a call id waits for an output; the rest is carried out by the model's service.
  const callId = idOf(item.call_id)
  if (callId !== null) return [call(item, callId)]
  return [{ ...call(item, idOf(item.id)), by: 'service', outcome: outcomeOf(item) }]
}

function call(item: JsonObject, id: string | null): Entry & { is: 'call' } {
  const type = textOf(item.type) ?? ''
  const name = textOf(item.name) ?? type.replace(/_call$/, '')
  const input = argumentsOf(
    item.arguments ?? item.input ?? item.action ?? item.operation ?? item.code ?? null,
  )
  return { is: 'call', id, name, input, by: 'client', outcome: null }
}

function outcomeOf(item: JsonObject): { isError: boolean; result: JsonValue } | null {
  const result = item.output ?? item.outputs ?? item.result ?? item.results ?? null
  if (item.error !== undefined && item.error !== null) return { isError: true, result: item.error }
  if (item.status === 'failed' || item.status === 'incomplete') return { isError: true, result }
  return item.status === 'completed' || result !== null ? { isError: false, result } : null
}
