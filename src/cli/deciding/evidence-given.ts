import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import type { GivenEvidence } from '../../core/given-evidence.js'
import type { Io } from '../io.js'
import { textGiven } from './texts.js'

type From = Pick<Io, 'cwd' | 'readAll'>

/** Each piece of evidence as it was typed, with files read; an empty one or a `…` of a pasted line is none. */
export async function evidenceGiven(typed: readonly string[], io: From): Promise<GivenEvidence[]> {
  const given: GivenEvidence[] = []
  for (const text of typed) {
    const said = textGiven(text)
    if (said !== undefined) given.push(await oneOf(said, io))
  }
  return given
}

/** How much of an output is kept; the digest speaks for the rest. */
const LONGEST_OUTPUT = 4_000

async function oneOf(said: string, io: From): Promise<GivenEvidence> {
  if (/^https?:\/\/\S+$/i.test(said)) return { kind: 'url', url: said }
  const [, prefix = '', rest = ''] = /^(ticket|file|output|text):(\S.*)$/s.exec(said) ?? []
  switch (prefix) {
    case 'ticket':
      return { kind: 'ticket', ticket: rest }
    case 'file':
      return { kind: 'file', path: rest, ...(await digestOfFile(rest, io)) }
    case 'output':
      return outputOf(rest, io)
    case 'text':
      return rest
    default:
      return said
  }
}

async function outputOf(from: string, io: From): Promise<GivenEvidence> {
  if (from === '-') {
    const text = await io.readAll()
    if (text.trim() === '') throw unreadable('stdin', 'it is empty')
    return { kind: 'output', from: 'stdin', text: beginning(text), ...digestOfBytes(Buffer.from(text)) }
  }
  const bytes = bytesOf(from, io)
  return { kind: 'output', from, text: beginning(bytes.toString('utf8')), ...digestOfBytes(bytes) }
}

function beginning(text: string): string {
  return text.slice(0, LONGEST_OUTPUT).toWellFormed().replaceAll('\0', '\u2400')
}

function digestOfBytes(bytes: Buffer) {
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes: bytes.length }
}

function bytesOf(path: string, { cwd }: From): Buffer {
  try {
    return readFileSync(resolve(cwd, path))
  } catch (cause) {
    throw unreadable(path, messageOf(cause), cause)
  }
}

/** A file that is evidence may be large: it is read piece by piece. */
async function digestOfFile(path: string, { cwd }: From): Promise<{ digest: string; bytes: number }> {
  const whole = resolve(cwd, path)
  const sum = createHash('sha256')
  let bytes = 0
  try {
    if (!statSync(whole).isFile()) throw new Error('it is no file')
    for await (const chunk of createReadStream(whole)) {
      sum.update(chunk)
      bytes += chunk.length
    }
  } catch (cause) {
    throw unreadable(path, messageOf(cause), cause)
  }
  return { digest: `sha256:${sum.digest('hex')}`, bytes }
}

function unreadable(path: string, why: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_input', `the evidence ${path} cannot be read: ${why}`, {
    path,
    hint: 'Name a file that is there; words of your own that begin like this are given as text:<words>.',
    cause,
  })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/, (?:open|stat) '.*'$/, '') : String(cause)
}
