import { broken } from './laws.js'
import { attemptsOf, FACT, fact, factMask, STATUS, statusOf } from './ledger-facts.js'
import { MOST_ATTEMPTS } from './ledger-moves.js'
import type { Setup } from './setup.js'
import { AT, attemptAt, effects, isInTheAir, isMisled, licensed } from './world.js'

/** What must hold of what the ledger says and what is so outside, at every state. */
export function checkWorld(facts: number, world: number, { dropped }: Setup): void {
  const done = effects(world)
  const status = statusOf(facts)
  if (done !== 0) checkDuplicates(world, done)
  const applied = factMask(facts, FACT.endedApplied)
  if (applied !== 0 && done === 0) broken('a receipt is the receipt of an effect', 'an attempt ended applied')
  // without that assumption, see what it leads to rather than that it is gone
  if (dropped !== 'durable send before bytes') checkAnnounced(facts, world)
  if (status === STATUS.cancelled && done !== 0)
    broken('cancelled means that nothing happened', 'it took effect')
  if (isMisled(world)) return
  if (status === STATUS.confirmed && done === 0) broken('confirmed means that it took effect', 'it did not')
  if (!fact(facts, FACT.mayHaveApplied)) checkCertainty(facts, world, status)
}

function checkAnnounced(facts: number, world: number): void {
  for (let n = attemptsOf(facts) + 1; n <= MOST_ATTEMPTS; n++)
    if (attemptAt(world, n) !== AT.none)
      broken('no byte leaves before send is durable', `attempt ${n} has left`)
}

/** Of the attempts that took effect all but the first were sent knowing that they might be duplicates. */
function checkDuplicates(world: number, done: number): void {
  const first = done & -done
  const others = done & ~first & ~licensed(world)
  if (others !== 0) broken('no second effect unless a person accepted it', 'two attempts took effect')
}

/** Where the ledger says that nothing may have applied, nothing has, and nothing can any more. */
function checkCertainty(facts: number, world: number, status: number): void {
  const announced = attemptsOf(facts)
  const live = status === STATUS.inFlight ? announced : 0
  const law =
    status === STATUS.notExecuted
      ? 'not_executed means that it did not take effect and cannot'
      : 'what may not have applied did not and cannot'
  for (let n = 1; n <= announced; n++) {
    if (n === live) continue
    const at = attemptAt(world, n)
    if (at === AT.waitingEffect || at === AT.goneEffect) broken(law, `attempt ${n} took effect`)
    if (isInTheAir(at)) broken(law, `attempt ${n} is still in the air`)
    if (at === AT.announced && ((factMask(facts, FACT.mayLeave) >> (n - 1)) & 1) === 1)
      broken(law, `the executor of attempt ${n} may still send it`)
  }
}
