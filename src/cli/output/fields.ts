import { didYouMean } from '../../core/did-you-mean.js'
import { LedgerError } from '../../core/errors.js'
import type { JsonObject, JsonValue } from '../../core/json.js'

/** The fields asked for with `--fields`, checked against those there are; undefined when none were asked for. */
export function chosenFields(
  asked: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] | undefined {
  for (const field of asked ?? []) {
    if (known.includes(field)) continue
    throw new LedgerError(
      'usage',
      `--fields: there is no field ${JSON.stringify(field)}${didYouMean(field, known)}`,
      {
        path: '--fields',
        hint: `The fields are ${known.join(', ')}.`,
      },
    )
  }
  return asked
}

/** The fields chosen, in the order they were asked for; all without a choice. A field that a row lacks is null. */
export function pick(row: JsonObject, fields: readonly string[] | undefined): JsonObject {
  return fields === undefined ? row : Object.fromEntries(fields.map(field => [field, row[field] ?? null]))
}

/** A field's value as one cell of text: nothing for null, JSON for lists and objects. */
export function cellText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
