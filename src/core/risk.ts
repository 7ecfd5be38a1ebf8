import type { Effect, Operation } from './operation.js'

/**
 * How bad it would be to get this one wrong: undeclared counts as irreversible with no safe repeat. Higher is
 * worse. The same order stands in the store's indexes as an SQL expression, held to this one by a test.
 */
export const RISK_RANKS: Readonly<Record<Effect | 'undeclared', number>> = {
  undeclared: 4,
  irreversible: 3,
  mitigable: 2,
  compensable: 2,
  reversible: 1,
  read: 0,
}

export type RiskClass = keyof typeof RISK_RANKS

export function riskOf(operation: Pick<Operation, 'effect'>): RiskClass {
  return operation.effect ?? 'undeclared'
}

/** Riskiest first: effect, then declared amount, then the oldest. */
export function byRisk(
  a: Pick<Operation, 'effect' | 'amount' | 'created_at'>,
  b: Pick<Operation, 'effect' | 'amount' | 'created_at'>,
): number {
  return (
    RISK_RANKS[riskOf(b)] - RISK_RANKS[riskOf(a)] ||
    (b.amount ?? 0) - (a.amount ?? 0) ||
    a.created_at - b.created_at
  )
}
