import { isAttemptInDoubt } from '../../src/core/attempt.js'
import { OPERATION_STATUSES } from '../../src/core/operation.js'
import type { LedgerGraph } from './ledger-graph.js'
import type { LedgerState } from './ledger-state.js'
import { NOW, SETTLE, type Setup, TICK } from './setup.js'

/** What the world's steps and laws ask of a ledger, as bits of one number: asked millions of times. */
export const FACT = {
  status: 0,
  attempts: 3,
  mayHaveApplied: 5,
  /** a bit an attempt, from here on: its bytes may leave now */
  mayLeave: 6,
  /** its request may arrive now */
  mayArrive: 9,
  /** its request may arrive after the next tick */
  mayArriveLater: 12,
  endedApplied: 15,
  /** reads that start now count as proof of absence */
  readsCount: 18,
  duplicateAccepted: 19,
  hasLiveAttempt: 20,
} as const

export const STATUS = {
  prepared: OPERATION_STATUSES.indexOf('prepared'),
  inFlight: OPERATION_STATUSES.indexOf('in_flight'),
  confirmed: OPERATION_STATUSES.indexOf('confirmed'),
  notExecuted: OPERATION_STATUSES.indexOf('not_executed'),
  unknown: OPERATION_STATUSES.indexOf('unknown'),
  cancelled: OPERATION_STATUSES.indexOf('cancelled'),
  abandoned: OPERATION_STATUSES.indexOf('abandoned'),
} as const

const KNOWN = 1 << 30

/** The facts of each node, worked out once. */
export function ledgerFacts(graph: LedgerGraph, setup: Setup): (node: number) => number {
  let facts = new Int32Array(1 << 12)
  return node => {
    if (node >= facts.length) {
      const larger = new Int32Array(Math.max(facts.length * 2, node + 1))
      larger.set(facts)
      facts = larger
    }
    const known = facts[node] ?? 0
    if ((known & KNOWN) !== 0) return known
    const found = factsOf(graph.ledger(node), setup) | KNOWN
    facts[node] = found
    return found
  }
}

export function fact(facts: number, at: number): boolean {
  return ((facts >> at) & 1) === 1
}

/** a bit an attempt */
export function factMask(facts: number, at: number): number {
  return (facts >> at) & 7
}

export function statusOf(facts: number): number {
  return (facts >> FACT.status) & 7
}

export function attemptsOf(facts: number): number {
  return (facts >> FACT.attempts) & 3
}

function factsOf({ state, memory }: LedgerState, { dropped, lagging }: Setup): number {
  const { operation, attempts } = state
  const settle = lagging && dropped !== 'settle window' ? SETTLE : 0
  const isUnbounded = dropped === 'arrival bound'
  const doubted = attempts.filter(isAttemptInDoubt)
  const mask = (holds: (latest: number, send_by: number) => boolean) =>
    attempts.reduce(
      (bits, { n, latest_arrival, send_by }) =>
        bits | (holds(latest_arrival ?? Infinity, send_by) ? 1 << (n - 1) : 0),
      0,
    )
  const ended = attempts.reduce((bits, { n, end }) => bits | (end === 'applied' ? 1 << (n - 1) : 0), 0)
  const readsCount =
    operation.status === 'unknown' &&
    doubted.every(({ latest_arrival }) => latest_arrival !== null && NOW > latest_arrival + settle)
  const hasLive = operation.status === 'in_flight' && attempts.at(-1)?.end === null
  return (
    (OPERATION_STATUSES.indexOf(operation.status) << FACT.status) |
    (operation.attempt << FACT.attempts) |
    (Number(operation.may_have_applied) << FACT.mayHaveApplied) |
    (mask((_, send_by) => NOW <= send_by) << FACT.mayLeave) |
    (mask(latest => isUnbounded || NOW <= latest) << FACT.mayArrive) |
    (mask(latest => isUnbounded || NOW + TICK <= latest) << FACT.mayArriveLater) |
    (ended << FACT.endedApplied) |
    (Number(readsCount) << FACT.readsCount) |
    (Number(memory.isDuplicateAccepted) << FACT.duplicateAccepted) |
    (Number(hasLive) << FACT.hasLiveAttempt)
  )
}
