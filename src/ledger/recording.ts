import type { ZodError, ZodType } from 'zod'
import { nextActionItem } from '../core/documents/parts.js'
import { errorItemOf, RECORD_VERBS, type RecordReply, type RecordVerb } from '../core/documents/record.js'
import type { RECORD_INPUT } from '../core/documents/record-input-schema.js'
import { isLedgerError, LedgerError } from '../core/errors.js'
import { accept, confirm, lose, reject, type Told } from '../execute/tell.js'
import type { Recorder } from './recorder.js'
import { recordPrepare, recordSend } from './recording-sends.js'
import { recordActivity, recordDrained, recordNote, recordSignal, recordTask } from './recording-tasks.js'
import { unknownOperation } from './unknown-id.js'

/**
 * Carries out one verb of `record` on the object given, and answers what it comes to. Expected failures, those of
 * the ledger too, are answers with `ok: false`; only a bug rejects.
 */
export async function record(recorder: Recorder, verb: string, given: unknown): Promise<RecordReply> {
  try {
    if (!isVerb(verb)) throw unknownVerb(verb)
    const { RECORD_INPUT } = await import('../core/documents/record-input-schema.js')
    return await verbsOf(RECORD_INPUT)[verb](recorder, given)
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return { ok: false, ...subjectOf(given), error: errorItemOf(await withNear(recorder, error, given)) }
  }
}

type CarryOut = (recorder: Recorder, given: unknown) => Promise<RecordReply>

function verbsOf(input: typeof RECORD_INPUT): Readonly<Record<RecordVerb, CarryOut>> {
  return {
    task: reading(input.task, recordTask),
    prepare: reading(input.prepare, recordPrepare),
    send: reading(input.send, recordSend),
    accept: reading(input.accept, async ({ executor }, given) => {
      return toldReply(await accept(executor, given, given), given, ['in_flight'])
    }),
    confirm: reading(input.confirm, async ({ executor }, { result_digest, ...given }) => {
      const receipt = { ...given, ...(result_digest == null ? {} : { result_digest }) }
      return toldReply(await confirm(executor, given, receipt), given, ['confirmed'])
    }),
    reject: reading(input.reject, async ({ executor }, given) => {
      return toldReply(await reject(executor, given, given), given, ['not_executed', 'prepared', 'unknown'])
    }),
    lose: reading(input.lose, async ({ executor }, given) => {
      return toldReply(await lose(executor, given, given), given, ['unknown'])
    }),
    heartbeat: reading(input.heartbeat, (recorder, given) => recordSignal(recorder, 'heartbeat', given)),
    activity: reading(input.activity, recordActivity),
    progress: reading(input.progress, (recorder, given) => recordSignal(recorder, 'progress', given)),
    note: reading(input.note, recordNote),
    drain: reading(input.drain, recordDrained),
    phase: reading(input.phase, async (recorder, given) =>
      (await import('./recording-phases.js')).recordPhase(recorder, given),
    ),
  }
}

function reading<T>(
  schema: ZodType<T>,
  carryOut: (recorder: Recorder, given: T) => Promise<RecordReply>,
): CarryOut {
  return (recorder, given) => {
    const read = schema.safeParse(given)
    if (read.success) return carryOut(recorder, read.data)
    throw unfit(read.error.issues, given)
  }
}

type Issues = ZodError['issues']

// A misspelt name is told before the one that is missing for it: the first is what was typed.
function unfit(issues: Issues, given: unknown): LedgerError {
  const [first, ...more] = [...issues].sort((a, b) => misspelt(b) - misspelt(a))
  const path = first === undefined ? '' : pathOf(first)
  const problem = first === undefined ? 'it does not fit' : problemOf(first, given)
  const subject = path === '' ? 'what was given ' : `${JSON.stringify(path)} `
  const others = more.length === 0 ? '' : `; also ${more.map(pathOf).join(', ')}`
  return new LedgerError('invalid_input', `${subject}${problem}${others}`, { path })
}

function pathOf(issue: Issues[number]): string {
  return [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.')
}

function problemOf(issue: Issues[number], given: unknown): string {
  if (issue.code === 'unrecognized_keys') return 'means nothing here'
  if (issue.code !== 'invalid_type') return `does not fit: ${issue.message}`
  const wanted = `${WANTED[issue.expected] ?? issue.expected} is wanted`
  return isAbsent(issue.path, given) ? `is missing: ${wanted}` : `does not fit: ${wanted}`
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function isAbsent(path: readonly PropertyKey[], given: unknown): boolean {
  let at = given
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return true
    at = Reflect.get(at, step)
  }
  return false
}

function misspelt({ code }: Issues[number]): number {
  return code === 'unrecognized_keys' ? 1 : 0
}

interface Held {
  readonly operation_id: string
  readonly attempt: number
  readonly fence: number
}

/** Told in time it is the outcome. Told late it is evidence, and `ok` only when the operation stands as was told. */
function toldReply(
  { operation_id, status, version, next_action, held, late }: Told,
  { attempt, fence }: Held,
  wanted: readonly string[],
): RecordReply {
  const stands = { operation_id, status, version, next_action: nextActionItem(next_action) }
  if (held) return { ok: true, ...stands }
  if (wanted.includes(status)) return { ok: true, ...stands, late }
  const kept = late ? 'what it told is kept as late evidence' : 'what it told was on record already'
  const error = new LedgerError(
    'conflict',
    `attempt ${attempt} no longer holds ${operation_id} under fence ${fence}, which is ${status}: ${kept}`,
    { id: operation_id, rule: 'attempt_is_live' },
  )
  return { ok: false, ...stands, late, error: errorItemOf(error) }
}

async function withNear({ session }: Recorder, error: LedgerError, given: unknown): Promise<LedgerError> {
  const { operation_id } = subjectOf(given)
  return error.code === 'not_found' && operation_id !== undefined && error.id === operation_id
    ? unknownOperation(session.store, operation_id)
    : error
}

/** The ids that the object names, so that an answer can be told apart also where the object does not fit. */
function subjectOf(given: unknown): Pick<RecordReply, 'operation_id' | 'task_id'> {
  if (typeof given !== 'object' || given === null) return {}
  const operation_id: unknown = Reflect.get(given, 'operation_id')
  const task_id: unknown = Reflect.get(given, 'task_id')
  if (typeof operation_id === 'string') return { operation_id }
  return typeof task_id === 'string' ? { task_id } : {}
}

function isVerb(verb: string): verb is RecordVerb {
  return RECORD_VERBS.some(known => known === verb)
}

function unknownVerb(verb: string): LedgerError {
  return new LedgerError('invalid_input', `there is no verb ${JSON.stringify(verb)}`, {
    path: 'verb',
    hint: `The verbs are ${RECORD_VERBS.join(', ')}.`,
  })
}
