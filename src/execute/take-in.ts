import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, unlinkSync } from 'node:fs'
import { isLedgerError, LedgerError } from '../core/errors.js'
import type { State } from '../core/transitions/requests.js'
import { type Ended, settle } from '../core/transitions/settle.js'
import { change } from './change.js'
import type { Executor } from './executor.js'
import { pendingReceipts, type Receipt } from './spool.js'

/** Far above what a receipt with the largest kept result needs. */
const LARGEST_FILE = 4 * 1024 * 1024

/**
 * Takes the receipts that wait beside the ledger in as evidence, oldest first, and removes their files: the outcome
 * where the attempt is still live, late evidence where it is not. What is no receipt of this ledger is left and
 * warned of. @throws LedgerError of the ledger itself; the files stay then
 */
export async function takeInReceipts(executor: Executor): Promise<number> {
  let taken = 0
  for (const path of pendingReceipts(executor.store.location, executor.store.spoolFolder)) {
    const receipt = await readReceipt(path, executor.store.ledgerId)
    if (receipt === null) continue
    if (typeof receipt === 'string') executor.warn(unreadable(path, receipt))
    else if (await takeInOrLeave(executor, receipt, path)) taken += 1
  }
  return taken
}

/** One that does not fit must not keep everybody from the ledger; a failure of the ledger itself is thrown. */
async function takeInOrLeave(executor: Executor, receipt: Receipt, path: string): Promise<boolean> {
  try {
    return await takeIn(executor, receipt, path)
  } catch (error) {
    if (isLedgerError(error) && error.code !== 'internal') throw error
    executor.warn(unreadable(path, `the ledger does not take it in (${messageOf(error)})`))
    return false
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function takeIn(executor: Executor, receipt: Receipt, path: string): Promise<boolean> {
  const { operation_id, owner } = receipt
  const seen = await change(executor, { operation_id }, (state, context) => {
    const ended = endedOf(state, receipt)
    if (state === null || ended === null) return { steps: [] }
    return { steps: settle(state, ended, context.known_external_ids) }
  })
  const state = seen?.changed.state ?? null
  if (endedOf(state, receipt) === null && isOfNoCall(receipt)) {
    // Seen under the lock that its commit took: that one was never written, and never will be.
    remove(path, executor)
    return true
  }
  if (endedOf(state, receipt) === null) {
    executor.warn(unreadable(path, `the ledger knows no attempt of ${operation_id} by ${owner}`))
    return false
  }
  const refusal = seen?.changed.refusal ?? null
  if (refusal !== null)
    throw new LedgerError('internal', `the receipt ${path} was refused: ${refusal.reason}`, { path })
  remove(path, executor)
  return true
}

/** An announcement failed without saying whether it was written, and its call was not made (undo-announcement.ts). */
function isOfNoCall({ end, evidence }: Receipt): boolean {
  return end === 'not_applied' && evidence.some(({ kind }) => kind === 'call_never_made')
}

/** The end that a receipt tells, of the attempt that its owner sent. */
function endedOf(state: State | null, receipt: Receipt): Ended | null {
  const sent = state?.attempts.find(({ owner }) => owner === receipt.owner)
  if (sent === undefined) return null
  const { external_ids, result, result_digest, error, end } = receipt
  const evidence = receipt.evidence.map(piece => ({ ...piece, attempt: sent.n }))
  const told = { attempt: sent.n, fence: sent.fence, external_ids, evidence }
  if (end === 'applied') return { ...told, end, result, result_digest }
  return error === null ? null : { ...told, end, error: { ...error, attempt: sent.n } }
}

/** The receipt in a file, or why there is none; null where another process took it in meanwhile. */
async function readReceipt(path: string, ledgerId: string): Promise<Receipt | string | null> {
  const text = readSmallFile(path)
  if (text === null && !existsSync(path)) return null
  if (text === null) return 'it is no readable file of fitting size'
  const { receiptSchema } = await import('./receipt-schema.js')
  const read = receiptSchema.safeParse(parsed(text))
  if (!read.success) return 'it does not hold a receipt'
  return read.data.ledger_id === ledgerId
    ? read.data
    : `it belongs to another ledger (${read.data.ledger_id})`
}

// No link is followed and no pipe waited for.
function readSmallFile(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const { size } = fstatSync(file)
      return fstatSync(file).isFile() && size <= LARGEST_FILE ? readFileSync(file, 'utf8') : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Another process may have taken the same receipt in, and one that stays is taken in again: telling an end twice
// changes nothing.
function remove(path: string, { warn }: Executor): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    warn(unreadable(path, `it was taken in and could not be removed (${String(error)})`))
  }
}

function unreadable(path: string, why: string) {
  const message = `${path} was left where it is: ${why}. Look at it, then move it away.`
  return { code: 'receipt_unreadable', message, path } as const
}
