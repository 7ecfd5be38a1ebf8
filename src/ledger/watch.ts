import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isTextList, isWhole } from '../core/given.js'
import { SUSPENDING_RULES } from '../core/stall/notice.js'
import { STALL_RULE_IDS } from '../core/stall/rule.js'
import { type Executor, nextOwner } from '../execute/executor.js'
import { pass, type WatchEvent } from '../supervise/pass.js'
import { createTrust } from '../supervise/trust.js'
import { type NotifyingLedger, type NotifyOptions, notifyOpen } from './notify.js'
import type { Session } from './session.js'
import { seenBySupervisor } from './watch-look.js'

export interface WatchOptions {
  /** time between two looks, milliseconds; default 10 s */
  readonly everyMs?: number
  /** from a notice to the moment at which its task is fenced off, milliseconds; default 10 min */
  readonly graceMs?: number
  /** rules that lead there; default: those about loops, lost heartbeats, no progress and a spent budget */
  readonly suspend?: readonly string[]
  /** one look, and then it ends */
  readonly once?: boolean
  /** aborted: the look that runs ends, and nothing further is begun */
  readonly signal?: AbortSignal
  readonly notify?: NotifyOptions
}

/** What a supervisor tells: what a look did, and how it stands itself. */
export type Watched =
  | WatchEvent
  /** it leads; another one does; the ledger could not be reached, and why */
  | { readonly event: 'leading' | 'following' | 'unreachable'; readonly reason: string }
  | { readonly event: 'not_told'; readonly reason: string; readonly task_id: string }

const FIELDS: Readonly<Record<keyof WatchOptions, Check>> = {
  everyMs: isWhole(100, 86_400_000),
  graceMs: isWhole(0, 30 * 86_400_000),
  suspend: value => isTextList(value) ?? unknownRule(value),
  once: value => (typeof value === 'boolean' ? null : 'must be true or false'),
  signal: isObject,
  notify: value => isObject(value) ?? notifyProblem(Object(value)),
}

const ROLE = 'watch'
const DEFAULT_EVERY_MS = 10_000
const DEFAULT_GRACE_MS = 600_000
/** A leader that missed so many looks is gone. */
const LOOKS_A_LEASE = 3
const SHORTEST_LEAD_MS = 30_000

/**
 * Supervises a ledger until it is told to stop: one of all who watch it. Each look reads what is open, marks what lost its
 * executor, gives notice, and fences a task off where its grace is over and nothing changed. A ledger that cannot be reached
 * is tried again. @throws LedgerError invalid_input; ledger_replaced where another file stands in its place; with `once`
 * every failure of the ledger's own
 */
export async function* watchLedger(
  session: Session,
  executor: Executor,
  { options, notifying }: { readonly options: WatchOptions; readonly notifying: NotifyingLedger },
): AsyncGenerator<Watched> {
  checkFields(options, { fields: FIELDS, what: 'watch' })
  const { everyMs = DEFAULT_EVERY_MS, graceMs = DEFAULT_GRACE_MS, once = false, signal, notify } = options
  const policy = { grace_ms: graceMs, suspends: options.suspend ?? SUSPENDING_RULES }
  const trust = createTrust({ everyMs })
  const role = { role: ROLE, owner: nextOwner(executor) }
  let standing: Watched['event'] | null = null
  let heldBack: ReadonlySet<string> = new Set()
  try {
    while (signal?.aborted !== true) {
      try {
        const now = executor.clock()
        const until = now.at + Math.max(SHORTEST_LEAD_MS, everyMs * LOOKS_A_LEASE)
        const leads = await executor.store.lead({
          ...role,
          now: now.at,
          until,
          isOwnerGone: executor.isOwnerGone,
        })
        trust.looked(now)
        const is = leads ? 'leading' : 'following'
        if (standing !== is)
          yield { event: is, reason: leads ? 'it supervises this ledger' : 'another one supervises it' }
        standing = is
        if (leads) {
          const seen = await seenBySupervisor(session)
          const { lease_ms } = session.config
          const did = await pass(executor, seen, { policy, lease_ms, trusted_since: trust.since() })
          yield* withoutRepeats(did, heldBack)
          heldBack = reasonsIn(did)
          if (notify !== undefined) yield* notifyOpen(executor, notifying, notify)
        }
      } catch (error) {
        if (!isLedgerError(error) || once || error.code === 'ledger_replaced') throw error
        trust.failed()
        if (standing !== 'unreachable') yield { event: 'unreachable', reason: error.message }
        standing = 'unreachable'
      }
      if (once) return
      await sleep(everyMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
    }
  } finally {
    // Its lease ends by itself where the ledger cannot be written any more.
    if (standing === 'leading') await executor.store.stopLeading(role).catch(() => undefined)
  }
}

/** What holds a suspension back is told when it begins to, not at every look. */
function withoutRepeats(did: readonly WatchEvent[], before: ReadonlySet<string>): readonly WatchEvent[] {
  return did.filter(one => one.event !== 'held_back' || !before.has(JSON.stringify(one)))
}

function reasonsIn(did: readonly WatchEvent[]): ReadonlySet<string> {
  return new Set(did.filter(({ event }) => event === 'held_back').map(one => JSON.stringify(one)))
}

function unknownRule(value: unknown): string | null {
  const known: readonly string[] = STALL_RULE_IDS
  const unknown = Array.isArray(value) ? value.find(one => !known.includes(String(one))) : undefined
  return unknown === undefined
    ? null
    : `has ${String(unknown)}, which is no rule; rules are ${known.join(', ')}`
}

function notifyProblem({ exec, webhook }: NotifyOptions): string | null {
  if (exec === undefined && webhook === undefined) return 'must name exec or webhook'
  if (webhook === undefined) return null
  return /^https?:\/\//.test(webhook) && URL.canParse(webhook) ? null : 'must name an http or https URL'
}
