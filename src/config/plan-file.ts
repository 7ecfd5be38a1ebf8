import { type FileHandle, open } from 'node:fs/promises'
import type * as z from 'zod'
import {
  itemDigest,
  PLAN_SCHEMA,
  type PlanEnd,
  type PlanHead,
  type PlanItem,
  planDigest,
} from '../core/documents/plan.js'
import { asPlanItem, planEndLine, planHeadLine, planItemLine } from '../core/documents/plan-schema.js'
import { isLedgerError, LedgerError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { firstLines } from './first-lines.js'
import { linesOf } from './lines.js'

/** A plan that was read whole and found as it was made. */
export interface PlanFile {
  readonly head: PlanHead
  readonly end: PlanEnd
  /** the decisions, read again from the file that is held open: whatever takes its name meanwhile is not read */
  readonly items: () => AsyncGenerator<PlanItem>
  readonly close: () => Promise<void>
}

/** The longest line that is read: a decision with a result and evidence is a few kilobytes. */
const LONGEST_LINE = 16 * 1024 * 1024

/**
 * Opens a plan and checks all of it before any of it is used: each line, and the digest over the whole.
 * @throws LedgerError invalid_input for what is no plan, refused for one that was changed since it was made
 */
export async function openPlan(path: string): Promise<PlanFile> {
  const file = await opened(path)
  try {
    const whole = await wholeOf(file, path)
    return { ...whole, items: () => itemsOf(file, path), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r')
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (cause) {
    const why =
      cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
        ? 'there is no such file'
        : textOf(cause)
    throw new LedgerError('invalid_input', `the plan ${path} cannot be read: ${why}`, {
      path,
      hint: 'Name the file that `agent-ledger plan --output` wrote.',
      cause,
    })
  }
  throw new LedgerError('invalid_input', `the plan ${path} is no file`, {
    path,
    hint: 'A plan is read twice, first to check it: write it to a file.',
  })
}

async function wholeOf(file: FileHandle, path: string): Promise<Pick<PlanFile, 'head' | 'end'>> {
  const decided = firstLines()
  let head: PlanHead | undefined
  let digest: ReturnType<typeof planDigest> | undefined
  let end: PlanEnd | undefined
  let last = 0
  for await (const { value, line } of valuesOf(file, path)) {
    last = line
    if (end !== undefined) throw changed(path, line, 'a line follows the last one')
    if (head === undefined || digest === undefined) {
      head = fitting(planHeadLine, value, { path, line })
      digest = planDigest(value)
    } else if ('decisions' in value) {
      end = fitting(planEndLine, value, { path, line })
    } else {
      const item = checkedItem(value, { path, line })
      const first = decided.of(item.operation_id)
      if (first !== undefined)
        throw changed(path, line, `${item.operation_id} is decided on line ${first} already`)
      decided.keep(item.operation_id, line)
      digest.add(item.digest)
    }
  }
  if (head === undefined || digest === undefined) throw noPlan(path, 1, 'it is empty')
  if (end === undefined) throw cutShort(path, `it ends after line ${last}`)
  const made = digest.end()
  if (made.decisions !== end.decisions)
    throw changed(path, null, `it holds ${made.decisions} decisions, ${end.decisions} were written`)
  if (made.digest !== end.digest) throw changed(path, null, 'the digest over the whole does not fit')
  return { head, end }
}

async function* itemsOf(file: FileHandle, path: string): AsyncGenerator<PlanItem> {
  let isFirst = true
  for await (const { value, line } of valuesOf(file, path)) {
    if (!isFirst && !('decisions' in value)) yield checkedItem(value, { path, line })
    isFirst = false
  }
}

interface Place {
  readonly path: string
  readonly line: number
}

function checkedItem(value: JsonObject, place: Place): PlanItem {
  const item = asPlanItem(fitting(planItemLine, value, place))
  if (itemDigest(value) !== item.digest)
    throw changed(place.path, place.line, `the decision on ${item.operation_id} does not fit its digest`)
  return item
}

function fitting<T>(schema: z.ZodType<T>, value: JsonObject, { path, line }: Place): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.join('.') ?? ''
  throw noPlan(path, line, `${where === '' ? '' : `${where}: `}${issue?.message ?? 'it does not fit'}`)
}

async function* valuesOf(
  file: FileHandle,
  path: string,
): AsyncGenerator<{ readonly value: JsonObject; readonly line: number }> {
  let line = 0
  // Of a line that is no JSON the next tells what it is: with none after it, a file that was cut.
  let broken: Broken | null = null
  try {
    for await (const text of linesOf(file, LONGEST_LINE)) {
      if (broken !== null) throw noPlan(path, line, broken.why)
      line++
      const value = text.trim() === '' ? null : jsonOf(text)
      if (value instanceof SyntaxError) broken = { text, why: `it is no JSON: ${value.message}` }
      else if (value !== null) yield { value: objectOf(value, { path, line }), line }
    }
  } catch (cause) {
    // thrown by whoever reads, or by a line that is no object
    if (isLedgerError(cause)) throw cause
    throw noPlan(path, line + 1, textOf(cause))
  }
  if (broken === null) return
  if (line === 1 && !broken.text.startsWith(BEGINNING)) throw noPlan(path, line, broken.why)
  throw cutShort(path, `it ends in the middle of line ${line}, at byte ${(await file.stat()).size}`)
}

interface Broken {
  readonly text: string
  readonly why: string
}

/** What the first line of a plan begins with. */
const BEGINNING = `{"schema":"${PLAN_SCHEMA}"`

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

function objectOf(value: unknown, { path, line }: Place): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw noPlan(path, line, 'it is no JSON object')
  // JSON.parse makes nothing else.
  return value as JsonObject
}

function noPlan(path: string, line: number, why: string): LedgerError {
  return new LedgerError('invalid_input', `${path} is no plan: line ${line}: ${why}`, {
    path,
    hint: 'Make it with `agent-ledger plan`; `agent-ledger schema plan` describes it. Nothing was written.',
  })
}

/** Of a plan that is not whole, none is carried out: what is missing may have been decisions. */
function cutShort(path: string, where: string): LedgerError {
  return new LedgerError(
    'refused',
    `${path} is cut short: ${where}, and the last line, with the digest over the whole, is missing`,
    {
      path,
      rule: 'plan_as_made',
      hint: 'Copy it again from where it is whole, or make it anew with `agent-ledger plan`; nothing was written.',
    },
  )
}

function changed(path: string, line: number | null, why: string): LedgerError {
  const where = line === null ? '' : `line ${line}: `
  return new LedgerError('refused', `${path} was changed since it was made: ${where}${why}`, {
    path,
    rule: 'plan_as_made',
    hint: 'Make it anew with `agent-ledger plan`, and have it looked at again; nothing was written.',
  })
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
