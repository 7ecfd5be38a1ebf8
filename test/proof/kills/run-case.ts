import { at, seeded } from '../seeded.js'
import { DECIDING, DECISIONS, type DecisionKind, MAKING, type Place, WRITING } from './places.js'
import { SERVICES, TROUBLES, type Trouble } from './services.js'

/** What happens in one run; all of it follows from its seed. */
export interface RunCase {
  readonly seed: number
  /** place in SERVICES */
  readonly service: number
  readonly trouble: Trouble
  readonly place: Place
  /** the decision that a second process is killed at */
  readonly decision: DecisionKind | null
  readonly isMaking: boolean
  /** operations carried out one after the other, and which of them the process dies at, from 0 */
  readonly operations: number
  readonly dyingAt: number
  readonly inSteps: boolean
  /** a process that tries again is killed too */
  readonly secondPlace: Place | null
  /** what goes wrong goes wrong again while it is recovered */
  readonly isTroubledAgain: boolean
  /** the person sends again what may have been done, and says so, instead of looking first */
  readonly isGambler: boolean
  /** for what is killed at any moment */
  readonly afterMs: number
  /** the clock of the process that is killed is so far ahead of everybody else's, and that of the second one so far behind */
  readonly aheadMs: number
}

/** Runs of a process that writes; every place meets every kind of service, and every trouble both of them. */
const WRITES = WRITING.length * SERVICES.length
const DECIDES = DECIDING.length * DECISIONS.length
const ROUND = WRITES + DECIDES + MAKING.length

/** Seeds from 1 on. One round of so many visits every place with every kind of service and every decision. */
export const SEEDS_OF_A_ROUND = ROUND

export function caseOf(seed: number): RunCase {
  const n = (seed - 1) % ROUND
  const round = Math.floor((seed - 1) / ROUND)
  const random = seeded(seed)
  const operations = 1 + random.below(3)
  const place = placeOf(n)
  const isWrite = n < WRITES
  return {
    seed,
    service: isWrite ? Math.floor(n / WRITING.length) : random.below(SERVICES.length),
    trouble: at(TROUBLES, n + Math.floor(n / WRITING.length) * 3 + round),
    place,
    decision: isWrite || n >= WRITES + DECIDES ? null : at(DECISIONS, n - WRITES),
    isMaking: n >= WRITES + DECIDES,
    operations,
    dyingAt: random.below(operations),
    inSteps: place.inSteps ?? random.chance(0.25),
    secondPlace: random.chance(0.25) ? random.pick(WRITING.filter(({ point }) => point !== null)) : null,
    isTroubledAgain: random.chance(0.4),
    isGambler: random.chance(0.2),
    afterMs: random.below(40),
    aheadMs: 0,
  }
}

function placeOf(n: number): Place {
  if (n < WRITES) return at(WRITING, n)
  return n < WRITES + DECIDES
    ? at(DECIDING, Math.floor((n - WRITES) / DECISIONS.length))
    : at(MAKING, n - WRITES - DECIDES)
}
