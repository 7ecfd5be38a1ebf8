import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { Io } from '../io.js'

/** The text of a file named on the command line; `-` is stdin. Throws `invalid_input` naming the path. */
export async function textOfFile(
  path: string,
  { cwd, readAll }: Pick<Io, 'cwd' | 'readAll'>,
): Promise<string> {
  if (path === '-') return readAll()
  const whole = resolve(cwd, path)
  try {
    return readFileSync(whole, 'utf8')
  } catch (cause) {
    throw unreadable(whole, cause)
  }
}

/** `--result <json|@file>`: the JSON itself, or the file that holds it. Throws `invalid_input` naming what is wrong. */
export async function jsonOrFile(
  text: string,
  option: string,
  io: Pick<Io, 'cwd' | 'readAll'>,
): Promise<JsonValue> {
  const isFile = text.startsWith('@')
  const json = isFile ? await textOfFile(text.slice(1), io) : text
  try {
    return JSON.parse(json)
  } catch (cause) {
    const where = isFile ? text.slice(1) : option
    throw new LedgerError('invalid_input', `${where} holds no JSON: ${messageOf(cause)}`, {
      path: where,
      hint: `Give JSON (a text in double quotes), or @ and the path of a file that holds it.`,
      cause,
    })
  }
}

/** The error for a file named on the command line. */
export function unreadable(path: string, cause: unknown): LedgerError {
  return new LedgerError('invalid_input', `${path} cannot be read: ${whyNot(cause)}`, { path, cause })
}

// Node's message names the path once more.
function whyNot(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  return messageOf(cause).replace(/, (?:open|read|stat)(?: '.*')?$/s, '')
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
