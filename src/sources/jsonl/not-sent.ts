import { classifyFacts } from '../../core/classify/classify.js'
import { NO_FACTS } from '../../core/classify/facts.js'
import type { JsonObject } from '../../core/json.js'
import { objectOf, textOf } from '../json-parts.js'
import { field, textField } from './fields.js'

/** Why a record proves that nothing was sent, in words; null where it does not. A text that only says so is no proof. */
export function whyNotSent(record: JsonObject): string | null {
  if (field(record, 'notSent') === true) return 'a field of it says that it was not sent'
  if (field(record, 'sent') === false || field(record, 'sent') === 0)
    return 'a field of it says that nothing was sent'
  const code = codeOf(record)
  if (code === null) return null
  const { end, title } = classifyFacts(null, { ...NO_FACTS, code })
  return end === 'not_applied' ? `${code}: ${title}` : null
}

/** The code of an error, where it stands as one: in a field of its own, or as the whole of the error. */
export function codeOf(record: JsonObject): string | null {
  const error = field(record, 'error')
  const code = textField(record, 'code') ?? textOf(objectOf(error)?.code) ?? textOf(error)
  return code !== null && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : null
}

export function messageOf(record: JsonObject): string | null {
  const error = field(record, 'error')
  const object = objectOf(error)
  if (object === null) return textOf(error)
  return textOf(object.message) ?? JSON.stringify(object).slice(0, 2_000)
}
