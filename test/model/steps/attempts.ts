import { broken } from '../laws.js'
import { FACT, factMask, STATUS } from '../ledger-facts.js'
import { attemptMoveIndex, MOST_ATTEMPTS } from '../ledger-moves.js'
import {
  AT,
  attemptAt,
  gone,
  isInTheAir,
  isWaiting,
  keyAge,
  withAttempt,
  withKeyAge,
  withMisled,
} from '../world.js'
import { event, type Here, labelOf, type Model, type Step } from './step.js'

/** What executors, the network and the service do with the attempts that were announced. */
export function attemptSteps(model: Model): Step {
  const { accepts } = model.setup
  const receipt = attemptMoveIndex('receipt') - 1
  const refusal = attemptMoveIndex('refusal') - 1
  const loss = attemptMoveIndex('loss') - 1
  const retry = attemptMoveIndex('retry') - 1
  const accept = attemptMoveIndex('accept') - 1
  const [leave, die] = [labelOf('leave'), labelOf('die')]
  const arrive = arrivals(model)

  function refused(here: Here, n: number): void {
    const after = withAttempt(here.world, n, AT.gone)
    event(model, here, refusal + n, after)
    event(model, here, retry + n, after)
  }

  function received(here: Here, n: number, at: number): void {
    const after = withAttempt(here.world, n, gone(at))
    // against what a person said it counts as a contradiction, after which all is in doubt again
    const isSettled = here.status === STATUS.notExecuted || here.status === STATUS.abandoned
    event(model, here, receipt + n, isSettled ? withMisled(after, false) : after)
  }

  return here => {
    for (let n = 1; n <= MOST_ATTEMPTS; n++) {
      const at = attemptAt(here.world, n)
      if (at === AT.none) continue
      if (at === AT.announced) {
        if (isFact(here, FACT.mayLeave, n))
          here.emit(here.node, withAttempt(here.world, n, AT.waitingInTheAir), leave + n)
        // the connection was refused, or it is past the last moment to send
        refused(here, n)
      }
      if (at === AT.waitingRefusal) refused(here, n)
      if (at === AT.waitingEffect || at === AT.waitingReplay) received(here, n, at)
      if (isWaiting(at)) event(model, here, loss + n, here.world)
      if (accepts && at === AT.waitingInTheAir) event(model, here, accept + n, here.world)
      if (at <= AT.waitingRefusal) here.emit(here.node, withAttempt(here.world, n, gone(at)), die + n)
      arrive(here, n, at)
    }
  }
}

/** What becomes of a request in the air. */
function arrivals({ setup }: Model): (here: Here, n: number, at: number) => void {
  const isKeyed = setup.service === 'keyed'
  const isConditional = setup.service === 'conditional'
  const [lose, effect, replay] = [labelOf('lose'), labelOf('effect'), labelOf('replay')]
  const [taken, refuse] = [labelOf('taken'), labelOf('refuse')]

  return (here, n, at) => {
    const { node, world, done } = here
    if (n <= here.attempts && !isFact(here, FACT.mayArrive, n)) return
    // the network may bring a request a second time for as long as it may arrive at all
    if (isKeyed && ((done >> (n - 1)) & 1) === 1 && keyAge(world) === 0)
      broken('no second effect unless a person accepted it', `attempt ${n} arrived twice`)
    if (!isInTheAir(at)) return
    const isWatched = at === AT.waitingInTheAir
    const nothing = withAttempt(world, n, isWatched ? AT.waitingForNothing : AT.gone)
    here.emit(node, nothing, lose + n)
    if (isKeyed && keyAge(world) !== 0)
      here.emit(node, withAttempt(world, n, isWatched ? AT.waitingReplay : AT.gone), replay + n)
    else if (isConditional && done !== 0) here.emit(node, nothing, taken + n)
    else {
      const after = withAttempt(world, n, isWatched ? AT.waitingEffect : AT.goneEffect)
      here.emit(node, isKeyed ? withKeyAge(after, 1) : after, effect + n)
    }
    if (isWatched) here.emit(node, withAttempt(world, n, AT.waitingRefusal), refuse + n)
  }
}

function isFact({ facts }: Here, at: number, n: number): boolean {
  return ((factMask(facts, at) >> (n - 1)) & 1) === 1
}
