import { existsSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'
import { asciiJson } from '../core/json.js'
import { nextAction } from '../core/next-action.js'
import { isResultKept, type RunOutcome } from '../core/run-outcome.js'
import { shellWord } from '../core/shell-word.js'
import type { Ended } from '../core/transitions/settle.js'
import type { Live } from './announce.js'
import type { Executor } from './executor.js'
import { recordEnd, type Sent } from './record-end.js'
import { spoolReceipt } from './spool.js'

/** An outcome that the ledger could not take in. */
export interface Unrecorded {
  readonly operation_id: string
  /** the file that holds it; null where the spool could not be written either */
  readonly path: string | null
  /** what a person types to record it */
  readonly command: string
  readonly sent: Sent
  readonly ended: Ended
}

// By ledger and task, for the life of this process: another handle on the same ledger must not send either.
const waiting = new Map<string, Unrecorded[]>()

/** Keeps the end in the receipt spool, and holds this process back from sending anything further for the task. */
export function keepUnrecorded(executor: Executor, live: Live, ended: Ended): Unrecorded {
  const { operation_id, task_id } = live.operation
  const { owner } = live.attempt
  const told = ended.end === 'accepted' ? lost(ended, executor.clock().at) : ended
  const { end, external_ids, evidence } = told
  const path = spoolReceipt(executor, {
    operation_id,
    owner,
    end,
    external_ids,
    evidence,
    result: told.end === 'applied' ? told.result : null,
    result_digest: told.end === 'applied' ? told.result_digest : null,
    error: told.end === 'applied' ? null : told.error,
  })
  const command = recordCommand(executor, operation_id, ended)
  const kept = { operation_id, path, command, sent: { operation_id, owner }, ended }
  const key = keyOf(executor, task_id)
  waiting.set(key, [...(waiting.get(key) ?? []), kept])
  const where = path === null ? `record it with: ${command}` : `it waits in ${path} for the next open`
  executor.warn({
    code: 'receipt_spooled',
    message: `the outcome of ${operation_id} could not be recorded; ${where}`,
    operation_id,
    ...(path === null ? {} : { path }),
  })
  return kept
}

type Lost = Extract<Ended, { end: 'not_applied' | 'ambiguous' }>

/** Work that the service took in is in doubt until the ledger knows whom to ask; the id says where to look. */
function lost(ended: Extract<Ended, { end: 'accepted' }>, at: number): Lost {
  const { attempt, fence, external_ids, evidence } = ended
  const message = 'the service took it in and works on it'
  const error = { rule: 'accepted', message, at, attempt }
  return { attempt, fence, external_ids, evidence, end: 'ambiguous', error }
}

/** Does an outcome of this process wait in the receipt spool of this ledger? */
export function hasSpooled({ store }: Executor): boolean {
  return [...waiting].some(
    ([key, kept]) =>
      key.startsWith(`${store.ledgerId} `) && kept.some(({ path }) => path !== null && existsSync(path)),
  )
}

/** @throws LedgerError ledger_unwritable while an outcome of this task waits to be recorded */
export async function refuseWhileUnrecorded(executor: Executor, taskId: string): Promise<void> {
  const key = keyOf(executor, taskId)
  const first = () => waiting.get(key)?.[0]
  for (let kept = first(); kept !== undefined; kept = first()) {
    if (!(await isRecorded(executor, kept))) throw notRecorded(kept, taskId)
    // Read again: others may have come meanwhile.
    const left = (waiting.get(key) ?? []).filter(other => other !== kept)
    if (left.length === 0) waiting.delete(key)
    else waiting.set(key, left)
  }
}

/**
 * A file that is gone was taken in by whoever opened the ledger since. What is in no file is known to this process
 * alone, so it is told again; where a person recorded it meanwhile that changes nothing.
 */
async function isRecorded(executor: Executor, { path, sent, ended }: Unrecorded): Promise<boolean> {
  return path === null ? (await recordEnd(executor, sent, ended)).done : !existsSync(path)
}

function notRecorded({ operation_id, command }: Unrecorded, taskId: string): LedgerError {
  return new LedgerError(
    'ledger_unwritable',
    `the outcome of ${operation_id} is not recorded yet: nothing further is sent for task ${taskId}`,
    { id: operation_id, hint: `Record it first: ${command}`, facts: { commit: 'none' } },
  )
}

interface Ending<T> {
  readonly ended: Ended
  /** null where the handler returned nothing */
  readonly returned: { readonly result: T } | null
  readonly kept: Unrecorded
}

/** The answer to the caller. Only what took effect is `unrecorded`: a lost or refused call is told as what it is. */
export function unrecordedOutcome<T>(
  { clock }: Executor,
  { operation }: Live,
  { ended, returned, kept }: Ending<T>,
): RunOutcome<T> {
  const { command } = kept
  const action = (status: 'not_executed' | 'unknown') =>
    nextAction({
      operation: { ...operation, status, may_have_applied: status === 'unknown' },
      look: { now: clock(), isOwnerGone: () => false },
      task: null,
      targetTouched: null,
    })
  if (ended.end === 'applied' && returned !== null) {
    const reason = `it took effect, and the ledger could not record it: ${command}`
    const unrecorded = {
      domain: 'state_store',
      category: 'store_unavailable',
      safe_to_repeat: false,
    } as const
    const next_action = { ...action('unknown'), ...unrecorded, next_action: 'ask_person', reason } as const
    return { status: 'unrecorded', ...returned, command, next_action }
  }
  if (ended.end === 'not_applied') {
    const reason = `${ended.error.message}; the ledger could not record this: ${command}`
    return { status: 'not_executed', reason, next_action: { ...action('not_executed'), reason } }
  }
  const next_action = action('unknown')
  const reason = `${next_action.reason}; the ledger could not record how it ended: ${command}`
  return { status: 'unknown', next_action: { ...next_action, reason } }
}

/** A command line is limited to 128 KiB a word on Linux (MAX_ARG_STRLEN); a larger result goes by its digest. */
const LONGEST_JSON = 100_000

function recordCommand({ store }: Executor, operation_id: string, ended: Ended): string {
  const { attempt, fence, external_ids } = ended
  const told = { operation_id, attempt, fence, ...(external_ids.length === 0 ? {} : { external_ids }) }
  const ledger = shellWord(store.location)
  const command = (verb: string, object: object) =>
    `printf '%s' ${shellWord(asciiJson(object))} | agent-ledger record ${verb} --ledger ${ledger}`
  if (ended.end === 'accepted')
    return ended.remote === null
      ? command('lose', { ...told, reason: 'the service took it in and works on it' })
      : command('accept', { operation_id, attempt, fence, remote: ended.remote })
  if (ended.end !== 'applied') {
    const verb = ended.end === 'ambiguous' ? 'lose' : 'reject'
    return command(verb, { ...told, reason: ended.error.message })
  }
  const { result, result_digest } = ended
  const whole = { ...told, ...(isResultKept(ended) ? { result } : {}) }
  const byDigest = { ...told, ...(result_digest === null ? {} : { result_digest }) }
  const isShort = isResultKept(ended) && asciiJson(whole).length <= LONGEST_JSON
  return command('confirm', isShort ? whole : byDigest)
}

function keyOf({ store }: Executor, taskId: string): string {
  return `${store.ledgerId} ${taskId}`
}
