import { isLedgerError } from '../core/errors.js'
import { decideNotices, type Found, type Notice, type NoticeMove, type Policy } from '../core/stall/notice.js'
import type { Stamp } from '../core/time.js'
import { byOf, type Executor } from '../execute/executor.js'
import { look } from '../execute/look.js'

/** An operation in flight whose executor is gone, or whose lease ran out. */
export interface Lost {
  readonly operation_id: string
  readonly task_id: string
  /** its process is provably gone; else its lease ran out at `lapsed_at` */
  readonly is_gone: boolean
  readonly lapsed_at: number
  /** its executor gave a sign after that: it lives, and its late outcome still counts */
  readonly sign_at: number
}

/** What a supervisor sees of a ledger at one moment. */
export interface Seen {
  readonly now: Stamp
  readonly found: readonly Found[]
  readonly lost: readonly Lost[]
  /** tasks that were given notice before */
  readonly held: readonly string[]
}

export interface PassOptions {
  readonly policy: Policy
  /** how long a lease lasts: what was silent while the ledger was is waited for so long */
  readonly lease_ms: number
  /** since when this supervisor could write at every look; null: only since now */
  readonly trusted_since: number | null
}

/** What one look did. Text in it comes from the ledger. */
export type WatchEvent = {
  readonly event: 'noticed' | 'suspended' | 'ended' | 'orphaned' | 'held_back'
  readonly subject: Notice['subject']
  readonly subject_id: string
  readonly task_id: string
  readonly rule: string
  readonly reason: string
  readonly grace_until: number | null
}

/** One look: marks orphans, gives and lifts notices, fences off what goes on after its grace. */
export async function pass(
  executor: Executor,
  seen: Seen,
  options: PassOptions,
): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = []
  const trusts = await truster(executor, seen, options)
  for (const lost of seen.lost) {
    const { operation_id: subject_id, task_id } = lost
    const about = { subject: 'operation', subject_id, task_id, rule: 'orphan', grace_until: null } as const
    events.push(...(await unlessDamaged(about, () => orphan(executor, lost, { seen, trusts, options }))))
  }
  const found: Found[] = []
  for (const one of seen.found) if (await isBelieved(one, trusts)) found.push(one)
  const open = await executor.store.openNotices()
  // What cannot be believed now is neither told anew nor taken for over.
  const doubted = new Set(seen.found.filter(one => !found.includes(one)).map(subjectOf))
  const moves = decideNotices({ found, open, now: seen.now.at, policy: options.policy })
  for (const move of moves) {
    if (move.type === 'end' && doubted.has(subjectOf({ ...move.notice, stall: { rule: move.notice.rule } })))
      continue
    const { subject, subject_id, task_id, rule, grace_until } = move.notice
    const about = { subject, subject_id, task_id, rule, grace_until }
    events.push(...(await unlessDamaged(about, () => carryOut(executor, move, seen))))
  }
  const noticed = moves.filter(({ type }) => type === 'notice').map(({ notice }) => notice.task_id)
  await liftHolds(executor, [...new Set([...seen.held, ...noticed])])
  return events
}

/** One row that does not fit its history must not keep the supervisor from all the others. */
async function unlessDamaged(
  about: Omit<WatchEvent, 'event' | 'reason'>,
  work: () => Promise<readonly WatchEvent[]>,
): Promise<readonly WatchEvent[]> {
  try {
    return await work()
  } catch (error) {
    if (!isLedgerError(error) || error.code !== 'ledger_damaged') throw error
    return [{ event: 'held_back', ...about, reason: `${error.message}. ${error.hint}` }]
  }
}

function subjectOf({
  subject,
  subject_id,
  stall,
}: {
  subject: string
  subject_id: string
  stall: { rule: string }
}) {
  return JSON.stringify([subject, subject_id, stall.rule])
}

type Trusts = (silentSince: number) => Promise<boolean>

/** Could whoever was silent since then have given a sign, and had a lease's time for it? */
async function truster(executor: Executor, { now }: Seen, options: PassOptions): Promise<Trusts> {
  const { lease_ms, trusted_since } = options
  const isTrusted = trusted_since !== null && now.at - trusted_since >= lease_ms
  return async silentSince => {
    if (isTrusted) return true
    const first = await executor.store.firstEventAfter(silentSince)
    return first !== null && now.at - first >= lease_ms
  }
}

async function isBelieved({ stall }: Found, trusts: Trusts): Promise<boolean> {
  return stall.rule !== 'heartbeat_lost' || trusts(stall.since)
}

async function orphan(
  executor: Executor,
  lost: Lost,
  { seen, trusts, options }: { seen: Seen; trusts: Trusts; options: PassOptions },
): Promise<WatchEvent[]> {
  const { operation_id, task_id, is_gone, lapsed_at, sign_at } = lost
  const isAlive = !is_gone && sign_at > lapsed_at && seen.now.at - sign_at < options.lease_ms
  if (isAlive || !(is_gone || (await trusts(lapsed_at)))) return []
  const { operation } = await look(executor, operation_id)
  if (operation.status !== 'unknown') return []
  const reason = is_gone ? 'its process is gone' : 'its lease ran out and nobody renewed it'
  const about = { subject: 'operation', subject_id: operation_id, task_id } as const
  return [{ event: 'orphaned', ...about, rule: 'orphan', reason, grace_until: null }]
}

async function carryOut(executor: Executor, move: NoticeMove, { now }: Seen): Promise<WatchEvent[]> {
  const { store } = executor
  const { notice } = move
  const { subject, subject_id, task_id, rule, reason, grace_until } = notice
  const told = { subject, subject_id, task_id, rule, reason, grace_until }
  if (move.type === 'notice') {
    await store.putNotice(notice)
    if (grace_until !== null)
      await changeTask(executor, notice, { type: 'hold', until: grace_until, reason: said(notice) })
    return [{ event: 'noticed', ...told }]
  }
  if (move.type === 'end') {
    await store.putNotice(notice)
    return [{ event: 'ended', ...told }]
  }
  const claims = await store.claimsOf([{ task_id }], now.at)
  // Somebody is at it: what they decide comes first.
  if (claims.length > 0)
    return [{ event: 'held_back', ...told, reason: `${claims[0]?.actor ?? ''} is looking at it` }]
  const refusal = await changeTask(executor, notice, { type: 'suspend', reason: said(notice) })
  await store.putNotice(notice)
  return refusal === null
    ? [{ event: 'suspended', ...told }]
    : [{ event: 'held_back', ...told, reason: refusal }]
}

function said({ rule, reason, subject_id }: Notice): string {
  return `${rule}, ${subject_id}: ${reason}`
}

type Request = Parameters<Executor['store']['changeTask']>[0]['request']

async function changeTask(executor: Executor, { task_id }: Pick<Notice, 'task_id'>, request: Request) {
  const { store, isOwnerGone } = executor
  const { refusal } = await store.changeTask({ task_id, request, by: byOf(executor), isOwnerGone })
  return refusal?.reason ?? null
}

/** A task whose notices are all over sends again. */
async function liftHolds(executor: Executor, held: readonly string[]): Promise<void> {
  if (held.length === 0) return
  const open = await executor.store.openNotices()
  for (const task_id of held) {
    const isHeld = open.some(
      one => one.task_id === task_id && one.stage === 'noticed' && one.grace_until !== null,
    )
    if (!isHeld)
      await changeTask(executor, { task_id }, { type: 'lift', reason: 'what the notice named is over' })
  }
}
