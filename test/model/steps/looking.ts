import { FACT, fact, factMask, STATUS } from '../ledger-facts.js'
import { moveIndex } from '../ledger-moves.js'
import { forgetsAfter, SETTLE_TICKS } from '../setup.js'
import {
  AT,
  attemptAt,
  effectAge,
  isDeleted,
  isInTheAir,
  keyAge,
  PROBE,
  probe,
  withAttempt,
  withDeleted,
  withEffectAge,
  withKeyAge,
  withMisled,
  withProbe,
} from '../world.js'
import { event, type Here, labelOf, type Model, type Step } from './step.js'

/**
 * A probe reads and concludes, each a step of its own. Absence takes two complete reads that see nothing, started
 * after the latest arrival of every attempt in doubt and the settle window, with nothing changed since the first.
 */
export function probeSteps(model: Model): Step {
  const { service, lagging, people, dropped } = model.setup
  if (service === 'nothing') return () => undefined
  const [absent, stale] = [moveIndex('absent'), moveIndex('absent stale')]
  const [match, contradict] = [moveIndex('match'), moveIndex('contradict')]
  const several = moveIndex('match several')
  const [see, seeNothing, giveUp] = [labelOf('see'), labelOf('seeNothing'), labelOf('giveUp')]
  const deleted = labelOf('delete')

  function read(here: Here, at: number): void {
    const { node, world } = here
    const isThere = here.done !== 0 && !isDeleted(world)
    if (isThere && at !== PROBE.match && isOpen(here)) here.emit(node, withProbe(world, PROBE.match), see)
    const maySeeNothing = !isThere || (lagging && effectAge(world) < SETTLE_TICKS)
    const isReading = at === PROBE.none || at === PROBE.emptyOnce
    if (maySeeNothing && isReading && fact(here.facts, FACT.readsCount))
      here.emit(node, withProbe(world, at + 1), seeNothing)
    if (dropped === 'nothing deleted' && isThere) here.emit(node, withDeleted(world), deleted)
  }

  function conclude(here: Here, at: number): void {
    const after = withProbe(here.world, PROBE.none)
    if (at === PROBE.emptyTwice) event(model, here, absent, after)
    if (at === PROBE.emptyStale) {
      event(model, here, stale, after)
      here.emit(here.node, after, giveUp)
    }
    if (at !== PROBE.match) return
    // That there are several only people do something about.
    if (people) event(model, here, several, after)
    if (event(model, here, match, after)) return
    if (!event(model, here, contradict, withMisled(after, false))) here.emit(here.node, after, giveUp)
  }

  return here => {
    const at = probe(here.world)
    read(here, at)
    if (at !== PROBE.none) conclude(here, at)
  }
}

function isOpen({ status, attempts }: Here): boolean {
  return attempts > 0 && status !== STATUS.confirmed && status !== STATUS.cancelled
}

/** Time passes: what is in the air has arrived by its bound, effects become visible, keys grow old. */
export function timeStep({ graph, setup }: Model): Step {
  const tick = moveIndex('tick')
  const forget = labelOf('forget')
  const forgets = forgetsAfter(setup)
  return here => {
    const { node, world, facts } = here
    let after = world
    for (let n = 1; n <= here.attempts; n++) {
      const at = attemptAt(world, n)
      const mayStillArrive = ((factMask(facts, FACT.mayArriveLater) >> (n - 1)) & 1) === 1
      if (isInTheAir(at) && !mayStillArrive)
        after = withAttempt(after, n, at === AT.waitingInTheAir ? AT.waitingForNothing : AT.gone)
    }
    if (here.done !== 0 && setup.lagging)
      after = withEffectAge(after, Math.min(effectAge(world) + 1, SETTLE_TICKS))
    const age = keyAge(world)
    if (age !== 0 && age <= forgets) after = withKeyAge(after, age + 1)
    if (age > forgets) here.emit(node, withKeyAge(world, 0), forget)
    here.emit(graph.after(node, tick), after, tick)
  }
}
