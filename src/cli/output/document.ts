import type { JsonObject } from '../../core/json.js'
import type { Safe } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from './fields.js'
import { documentHead, printableJson } from './json.js'

/** One thing that a command prints: as text for people, or as a document. */
export interface OneDocument {
  /** `show@1` */
  readonly schema: string
  /** null where none was read */
  readonly ledger: string | null
  readonly body: JsonObject
  /** every field of the body, for `--fields` */
  readonly fields: readonly string[]
  /** the same for people; not asked for when a document is printed */
  readonly text: () => Safe
}

/** Prints a document: indented with `--json`, on one line with `--jsonl`, else as text. False once nobody reads any more. */
export async function printDocument(document: OneDocument, deps: Deps): Promise<boolean> {
  const { json, jsonl } = deps.global
  const fields = chosenFields(deps.global.fields, document.fields)
  if (!json && !jsonl && fields === undefined) return deps.print(document.text())
  const whole = { ...documentHead(document, deps.now), ...pick(document.body, fields) }
  const text = jsonl ? deps.redactor.json(whole) : JSON.stringify(deps.redactor.value(whole), null, 2)
  return deps.io.stdout.write(`${printableJson(text)}\n`)
}
