import { leaseUntil } from '../../src/core/lease.js'
import type { LastError } from '../../src/core/operation.js'
import type { Context, Request } from '../../src/core/transitions/requests.js'
import { type Ended, settle } from '../../src/core/transitions/settle.js'
import { asked, TICKET } from '../core/builders.js'
import { APPROVAL_ID, type LedgerState } from './ledger-state.js'
import { LEASE, NOW, type Setup, stampAtNow, TICK } from './setup.js'

/** One thing that can happen to the ledger. What it needs of the world outside is for the world to say. */
export interface LedgerMove {
  readonly says: string
  /** null: it makes no sense here and is not asked */
  readonly make: (ledger: LedgerState, setup: Setup) => Made | null
}

/** Either requests for the core, of which none may be refused that `must` holds, or a change beside the operation. */
export type Made =
  | { readonly requests: readonly Request[]; readonly over?: Partial<Context>; readonly must?: true }
  | { readonly ledger: LedgerState; readonly elapsed?: number }

const refused: LastError = { rule: 'http_400', message: 'refused', at: NOW, attempt: null }
const lost: LastError = { rule: 'thrown', message: 'socket hang up', at: NOW, attempt: null }

/** Moves that speak of one attempt: index = first index + attempt number - 1. */
export const PER_ATTEMPT = [
  ['receipt', 'records its receipt', (n: number) => ended(n, 'applied')],
  ['refusal', 'records that it was refused', (n: number) => ended(n, 'not_applied')],
  ['loss', 'records that the answer was lost', (n: number) => ended(n, 'ambiguous')],
  ['retry', 'records that it was refused and schedules a retry', retry],
  ['accept', 'records that the service took it in', accept],
] as const satisfies readonly (readonly [string, string, (n: number) => LedgerMove['make']])[]

const ONCE = [
  ['send', 'an attempt is announced', asking(asked.send({ lease_ms: LEASE }))],
  ['resend', 'a caller asks again: the same request is safe to send again', asking(asked.resend())],
  ['rerun', 'the same caller asks again for what did not happen', asking(asked.rerun())],
  ['orphan lapsed', 'the lease is seen to have run out', asking(asked.orphan())],
  ['orphan gone', 'the executor is seen to be gone', orphanGone],
  ['renew', 'the executor renews its lease', renewed],
  ['match', 'a probe found it', asking(asked.match())],
  ['match several', 'a probe found several of it', asking(asked.match({ duplicates: true }))],
  [
    'contradict',
    'a probe found it against what was settled',
    asking(asked.contradict({ external_ids: [TICKET] })),
  ],
  ['absent', 'a probe concludes that nothing took effect', absent(0)],
  [
    'absent stale',
    'a probe that began before something changed concludes that nothing took effect',
    absent(1),
  ],
  ['takeover', 'a person takes the task over', takenOver],
  ['handback', 'a person hands the task back', handedBack],
  ['withdraw', 'the leave to send is taken back', asking(asked.withdraw())],
  ['allow', 'a person allows one more attempt', asking(asked.allowRetry())],
  [
    'allow duplicate',
    'a person allows one more attempt and accepts a duplicate',
    asking(asked.allowRetry({ accept_duplicate: 'it may be there twice' })),
  ],
  ['say confirmed', 'a person says that it took effect', asking(asked.resolveConfirmed())],
  ['say not executed', 'a person says that it did not take effect', asking(asked.resolveNotExecuted())],
  [
    'say early',
    'a person says early that it did not take effect',
    asking(asked.resolveNotExecuted({ early: true })),
  ],
  ['reopen', 'a person reopens it', asking(asked.reopen())],
  ['acknowledge', 'a person knows of its duplicates', asking(asked.acknowledge())],
  ['cancel', 'a person cancels it', asking(asked.cancel())],
  ['deny', 'a person denies it', asking(asked.deny())],
  ['abandon', 'a person stops asking', asking(asked.abandon())],
  ['approve', 'a person approves it', approved],
  ['revoke', 'the approval is revoked', revoked],
  ['change policy', 'the policy changes after the approval', policyChanged],
  ['tick', 'time passes', ledger => ({ ledger, elapsed: TICK })],
] as const satisfies readonly (readonly [string, string, LedgerMove['make']])[]

export type OnceName = (typeof ONCE)[number][0]
export type PerAttemptName = (typeof PER_ATTEMPT)[number][0]
export const MOST_ATTEMPTS = 3

export const LEDGER_MOVES: readonly LedgerMove[] = [
  ...ONCE.map(([, says, make]) => ({ says, make })),
  ...PER_ATTEMPT.flatMap(([, says, make]) =>
    Array.from({ length: MOST_ATTEMPTS }, (_, i) => ({
      says: `the executor of attempt ${i + 1} ${says}`,
      make: make(i + 1),
    })),
  ),
]

/** Where a move stands in the list. */
export function moveIndex(name: OnceName): number {
  return ONCE.findIndex(([own]) => own === name)
}

/** Where the move for attempt 1 stands; those for 2 and 3 follow it. */
export function attemptMoveIndex(name: PerAttemptName): number {
  return ONCE.length + MOST_ATTEMPTS * PER_ATTEMPT.findIndex(([own]) => own === name)
}

function asking(request: Request): LedgerMove['make'] {
  return () => ({ requests: [request] })
}

function orphanGone({ state: { operation } }: LedgerState): Made | null {
  if (operation.lease_owner === 'remote') return null
  return { requests: [asked.orphan({ why: 'owner_gone' })], over: { owner_gone: true } }
}

/** Outside the events, as the store does it: a lease that has lapsed cannot be renewed. */
function renewed(ledger: LedgerState): Made | null {
  const { operation } = ledger.state
  const isHeld = operation.status === 'in_flight' && operation.lease_owner !== 'remote'
  if (!isHeld || operation.lease_expires_at === null || operation.lease_expires_at <= NOW) return null
  const row = { ...operation, ...leaseUntil(stampAtNow, LEASE) }
  return { ledger: { ...ledger, state: { ...ledger.state, operation: row } } }
}

function absent(versionsSince: number): LedgerMove['make'] {
  return ({ state: { operation } }) => ({
    requests: [
      asked.absent({ seen_attempts: operation.attempt, seen_version: operation.version - versionsSince }),
    ],
  })
}

function takenOver(ledger: LedgerState): Made | null {
  if (ledger.isHeld) return null
  const { status } = ledger.state.operation
  if (status !== 'in_flight' && status !== 'prepared') return { ledger: { ...ledger, isHeld: true } }
  return { requests: [asked.takeover()] }
}

function handedBack(ledger: LedgerState): Made | null {
  return ledger.isHeld ? { ledger: { ...ledger, isHeld: false } } : null
}

type KnownEnd = Exclude<Ended['end'], 'accepted'>

/** What an executor does with its result is what the library does: the core's own `settle` says which request. */
function ended(n: number, end: KnownEnd): LedgerMove['make'] {
  return ({ state, hasIds }, { dropped }) => {
    const attempt = state.attempts.find(one => one.n === n)
    if (attempt === undefined) return null
    // without the fence a store would take any result for that of the attempt in flight
    const { operation } = state
    const isUnfenced = dropped === 'fence check' && operation.status === 'in_flight'
    const by = isUnfenced
      ? { attempt: operation.attempt, fence: operation.lease_fence }
      : { attempt: n, fence: attempt.fence }
    const steps = settle(state, { ...by, evidence: [], ...endOf(end) }, hasIds ? [TICKET] : [])
    return { requests: steps.map(({ request }) => request), must: true }
  }
}

function endOf(end: KnownEnd) {
  switch (end) {
    case 'applied':
      return { end, external_ids: [TICKET], result: null, result_digest: null }
    case 'not_applied':
      return { end, external_ids: [], error: refused }
    case 'ambiguous':
      return { end, external_ids: [], error: lost }
  }
}

function retry(n: number): LedgerMove['make'] {
  return ({ state }) => {
    const attempt = state.attempts.find(one => one.n === n)
    if (attempt === undefined) return null
    const by = { attempt: n, fence: attempt.fence }
    return { requests: [asked.scheduleRetry({ ...by, next_attempt_at: NOW + TICK })] }
  }
}

function accept(n: number): LedgerMove['make'] {
  return ({ state }) => {
    const attempt = state.attempts.find(one => one.n === n)
    if (attempt === undefined) return null
    return { requests: [asked.accept({ attempt: n, fence: attempt.fence, patience_ms: TICK })] }
  }
}

function approved(ledger: LedgerState, { approval }: Setup): Made | null {
  const isOpen = ledger.state.operation.status === 'prepared' || ledger.state.operation.status === 'unknown'
  if (!approval || !isOpen) return null
  const { operation } = ledger.state
  const row = operation.approval_id === null ? operation : { ...operation, approval_id: 'older' }
  return {
    ledger: {
      ...ledger,
      isPolicyChanged: false,
      approval: {
        approval_id: APPROVAL_ID,
        operation_id: operation.operation_id,
        digest: 'as approved',
        approver: 'ben',
        reason: 'fine',
        granted_at: NOW,
        expires_at: null,
        uses: 1,
        used: 0,
        revoked_at: null,
      },
      state: { ...ledger.state, operation: row },
    },
  }
}

function revoked(ledger: LedgerState): Made | null {
  const { approval } = ledger
  if (approval === null || approval.revoked_at !== null) return null
  return { ledger: { ...ledger, approval: { ...approval, revoked_at: NOW } } }
}

function policyChanged(ledger: LedgerState): Made | null {
  if (ledger.approval === null || ledger.isPolicyChanged) return null
  return { ledger: { ...ledger, isPolicyChanged: true } }
}
