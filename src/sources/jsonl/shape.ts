import type { JsonObject } from '../../core/json.js'
import { field, idField, textField } from './fields.js'

/** What a line is: one of our own records, or something like an operation, a phase or a task; null = none of these. */
export type Shape = 'own' | 'operation' | 'phase' | 'task' | null

const OWN = ['task', 'operation', 'action', 'note', 'phase', 'warning']

export function shapeOf(record: JsonObject): Shape {
  if (typeof record.record === 'string' && OWN.includes(record.record)) return 'own'
  // A message of a transcript may have a status; a phase never has a role.
  if (record.role !== undefined) return null
  const hasStatus = textField(record, 'status') !== null
  if (hasStatus && operationIdIn(record) !== null) return 'operation'
  if (!hasStatus) return null
  const isPhase = textField(record, 'phase') !== null
  const hasWork = field(record, 'artifact') ?? field(record, 'revision') ?? field(record, 'artifactDigest')
  if (isPhase && hasWork !== null) return 'phase'
  return idField(record, 'task') !== null && textField(record, 'goal') !== null ? 'task' : null
}

/** The id of an operation; a plain `id` is one only beside a tool that is named as such, for everything has an `id`. */
export function operationIdIn(record: JsonObject): string | null {
  const isCall = [record.tool, record.tool_name, record.toolName].some(name => typeof name === 'string')
  return idField(record, 'id') ?? (isCall ? idField(record, 'plainId') : null)
}
