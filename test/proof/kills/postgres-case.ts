import { at, seeded } from '../seeded.js'
import { DECIDING, DECISIONS, type DecisionKind, type Place, WRITING } from './places.js'
import { caseOf, type RunCase } from './run-case.js'
import { SERVICES } from './services.js'

/** What there is more of where the ledger is on a server: between a COMMIT that left and its answer lies a network. */
export const WRITING_POSTGRES: readonly Place[] = [
  ...WRITING,
  { name: 'the COMMIT of the intent sent, no answer yet', point: 'intent_commit_sent' },
  { name: 'the COMMIT of the outcome sent, no answer yet', point: 'outcome_commit_sent' },
]

export const DECIDING_POSTGRES: readonly Place[] = [
  ...DECIDING,
  { name: 'the COMMIT of a decision sent, no answer yet', point: 'decision_commit_sent' },
]

export const MAKING_POSTGRES: readonly Place[] = [
  { name: 'before the commit of a new schema', point: 'making_before_begin' },
  { name: 'inside the commit of a new schema', point: 'making_before_commit' },
  { name: 'the COMMIT of a new schema sent, no answer yet', point: 'making_commit_sent' },
  { name: 'after the commit of a new schema', point: 'making_after_commit' },
]

const WRITES = WRITING_POSTGRES.length * SERVICES.length
const DECIDES = DECIDING_POSTGRES.length * DECISIONS.length

/** One round of so many visits every place with every kind of service and every decision. */
export const POSTGRES_SEEDS_OF_A_ROUND = WRITES + DECIDES + MAKING_POSTGRES.length

const FIVE_MINUTES_MS = 300_000

/** The run of a seed, from 1 on, with the ledger in PostgreSQL; machines there need not agree on the time. */
export function postgresCaseOf(seed: number): RunCase {
  const n = (seed - 1) % POSTGRES_SEEDS_OF_A_ROUND
  const isWrite = n < WRITES
  const place = placeOf(n)
  const drawn = caseOf(seed)
  return {
    ...drawn,
    place,
    service: isWrite ? Math.floor(n / WRITING_POSTGRES.length) : drawn.service,
    decision: decisionOf(n),
    isMaking: n >= WRITES + DECIDES,
    inSteps: place.inSteps ?? false,
    aheadMs: seeded(seed).pick([0, FIVE_MINUTES_MS, -FIVE_MINUTES_MS]),
  }
}

function placeOf(n: number): Place {
  if (n < WRITES) return at(WRITING_POSTGRES, n)
  return n < WRITES + DECIDES
    ? at(DECIDING_POSTGRES, Math.floor((n - WRITES) / DECISIONS.length))
    : at(MAKING_POSTGRES, n - WRITES - DECIDES)
}

function decisionOf(n: number): DecisionKind | null {
  return n < WRITES || n >= WRITES + DECIDES ? null : at(DECISIONS, n - WRITES)
}
