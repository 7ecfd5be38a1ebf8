import { FACT, fact } from '../ledger-facts.js'
import { REFUSED } from '../ledger-graph.js'
import { moveIndex, type OnceName } from '../ledger-moves.js'
import { AT, attemptAt, isMisled, withAttempt, withLicence, withMisled } from '../world.js'
import { beside, event, labelOf, type Model, type Step, staled } from './step.js'

/** An attempt is announced; the search stops at the most attempts of its setup. */
export function sendStep(model: Model): Step {
  const { graph, setup } = model
  const send = moveIndex('send')
  const unannounced = labelOf('leaveUnannounced')
  return here => {
    const n = here.attempts + 1
    if (n > setup.attempts || attemptAt(here.world, n) !== AT.none) return
    const next = graph.after(here.node, send)
    if (next === REFUSED) return
    const world = withAttempt(staled(here.world), n, AT.announced)
    const isLicensed = fact(here.facts, FACT.duplicateAccepted) || isMisled(here.world)
    here.emit(next, isLicensed ? withLicence(world, n) : world, send)
    if (setup.dropped === 'durable send before bytes')
      here.emit(here.node, withAttempt(here.world, n, AT.goneInTheAir), unannounced + n)
  }
}

/** What callers and people ask of the ledger, whatever is so outside. */
export function askingSteps(model: Model): Step {
  const { people, approval } = model.setup
  const names: OnceName[] = [
    'resend',
    'rerun',
    'orphan lapsed',
    'allow',
    'allow duplicate',
    'withdraw',
    ...(people ? (['takeover', 'cancel', 'deny', 'abandon', 'acknowledge'] as const) : []),
  ]
  const besides: OnceName[] = [
    ...(people ? (['handback'] as const) : []),
    ...(approval ? (['approve', 'revoke', 'change policy'] as const) : []),
  ]
  const asked = names.map(moveIndex)
  const quiet = besides.map(moveIndex)
  const reopen = moveIndex('reopen')
  return here => {
    for (const move of asked) event(model, here, move, here.world)
    // what was said wrongly is in doubt again
    if (people) event(model, here, reopen, withMisled(here.world, false))
    for (const move of quiet) beside(model, here, move)
  }
}

/** What people say about the outside: the truth, or in some setups anything. */
export function sayingSteps(model: Model): Step {
  const isAlwaysTrue = model.setup.claims === 'truthful'
  const confirmed = moveIndex('say confirmed')
  const notExecuted = (['say not executed', 'say early'] as const).map(moveIndex)
  return here => {
    const { world, done } = here
    if (done !== 0) event(model, here, confirmed, world)
    else if (!isAlwaysTrue) event(model, here, confirmed, withMisled(world, true))
    for (const move of notExecuted) {
      if (done === 0) event(model, here, move, world)
      else if (!isAlwaysTrue) event(model, here, move, withMisled(world, true))
    }
  }
}

/** The executor of the attempt in flight holds its lease, or is seen to be gone. */
export function leaseSteps(model: Model): Step {
  const orphanGone = moveIndex('orphan gone')
  const renew = moveIndex('renew')
  return here => {
    if (!fact(here.facts, FACT.hasLiveAttempt)) return
    if (attemptAt(here.world, here.attempts) >= AT.goneInTheAir) event(model, here, orphanGone, here.world)
    else beside(model, here, renew)
  }
}
