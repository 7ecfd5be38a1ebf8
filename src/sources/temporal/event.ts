import type { JsonObject, JsonValue } from '../../core/json.js'
import { EVENT_TYPES, enumOf } from './enums.js'
import { countOf, field, isFields, textOf, timeOf } from './fields.js'

export interface HistoryEvent {
  /** 1, 2, 3, … in one run */
  readonly id: number
  /** `ACTIVITY_TASK_SCHEDULED`, however it is spelled in the file */
  readonly type: string
  readonly at: number | null
  /** the server's own number for the write: a run that was reset repeats it in the events it copies */
  readonly taskId: string | null
  /** what the type says; empty where an unknown type has none */
  readonly attributes: JsonObject
}

/** Null where the value is no event of a history. */
export function eventOf(value: JsonValue): HistoryEvent | null {
  if (!isFields(value)) return null
  const id = countOf(value, 'eventId')
  if (id === null) return null
  const attributesKey = Object.keys(value).find(key => ATTRIBUTES.test(key) && isFields(value[key]))
  const type = enumOf(value, 'eventType', 'eventType') ?? typeOfKey(attributesKey)
  if (type === null) return null
  const attributes = attributesKey === undefined ? null : value[attributesKey]
  return {
    id,
    type,
    at: timeOf(value, 'eventTime'),
    taskId: textOf(value, 'taskId'),
    attributes: isFields(attributes ?? undefined) ? (attributes as JsonObject) : {}, // isFields has just said so
  }
}

export function isKnownType({ type }: HistoryEvent): boolean {
  return EVENT_TYPES.has(type)
}

/** An event of Cadence or SWF: decisions where Temporal has workflow tasks, and the time as a number. */
export function isForeignEvent(value: JsonValue): boolean {
  if (!isFields(value)) return false
  const type = field(value, 'eventType')
  if (type === undefined) return false
  const isDecision =
    /^decision/i.test(String(type)) || Object.keys(value).some(key => /^decision_?task/i.test(key))
  return (
    isDecision || (typeof field(value, 'timestamp') === 'number' && field(value, 'eventTime') === undefined)
  )
}

const ATTRIBUTES = /(?:E|_e)vent(?:A|_a)ttributes$/

/** `activityTaskScheduledEventAttributes` → ACTIVITY_TASK_SCHEDULED, for files that lost the type. */
function typeOfKey(key: string | undefined): string | null {
  if (key === undefined) return null
  const name = key.replace(ATTRIBUTES, '')
  const type = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replace(/_$/, '')
    .toUpperCase()
  return EVENT_TYPES.has(type) ? type : null
}
