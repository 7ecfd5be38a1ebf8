import { BrokenLaw } from './laws.js'
import { attemptsOf, ledgerFacts, statusOf } from './ledger-facts.js'
import { ledgerGraph } from './ledger-graph.js'
import type { Setup } from './setup.js'
import { stateSet } from './state-set.js'
import { attemptSteps } from './steps/attempts.js'
import { askingSteps, leaseSteps, sayingSteps, sendStep } from './steps/decisions.js'
import { probeSteps, timeStep } from './steps/looking.js'
import { type Here, sayLabel } from './steps/step.js'
import { effects, WORLDS } from './world.js'
import { checkWorld } from './world-laws.js'

export interface Found {
  /** every state that can be reached, or those seen until a law broke */
  readonly states: number
  readonly transitions: number
  /** the ledgers among them */
  readonly ledgers: number
  /** steps to the farthest state */
  readonly depth: number
  readonly counterexample: Counterexample | null
}

export interface Counterexample {
  readonly law: string
  readonly detail: string
  /** what happened, in order, one line each */
  readonly trace: readonly string[]
}

export interface SearchOptions {
  /** keep how each state was reached; without it a counterexample has no trace */
  readonly tracing: boolean
  readonly expected?: number
}

/**
 * Visits every state of the setup that can be reached, breadth first, with every decision taken by the real core,
 * and checks every law at each. Stops at the first broken one: breadth first, so its trace is a shortest one.
 */
export function search(setup: Setup, { tracing, expected = 1 << 16 }: SearchOptions): Found {
  const graph = ledgerGraph(setup)
  const factsOf = ledgerFacts(graph, setup)
  const model = { graph, setup }
  const steps = [attemptSteps, sendStep, askingSteps, sayingSteps, leaseSteps, probeSteps, timeStep].map(
    make => make(model),
  )
  const seen = stateSet({ tracing, expected })
  let next = frontier()
  let transitions = 0
  let depth = 0
  let at = graph.first * WORLDS
  const checked = { state: at }

  const here: Here = {
    node: 0,
    world: 0,
    facts: 0,
    status: 0,
    attempts: 0,
    done: 0,
    emit(node, world, label) {
      transitions++
      const state = node * WORLDS + world
      if (!seen.add(state, at, label)) return
      checked.state = state
      checkWorld(factsOf(node), world, setup)
      checked.state = at
      next.push(state)
    },
  }

  function expand(state: number): void {
    at = state
    checked.state = state
    here.node = Math.floor(state / WORLDS)
    here.world = state % WORLDS
    here.facts = factsOf(here.node)
    here.status = statusOf(here.facts)
    here.attempts = attemptsOf(here.facts)
    here.done = effects(here.world)
    for (const step of steps) step(here)
  }

  function found(counterexample: Counterexample | null): Found {
    return { states: seen.size(), transitions, ledgers: graph.count(), depth, counterexample }
  }

  seen.add(at, -1, 0)
  let level = frontier()
  level.push(at)
  try {
    while (level.size() > 0) {
      next = frontier()
      level.each(expand)
      level = next
      depth++
    }
  } catch (error) {
    if (!(error instanceof BrokenLaw)) throw error
    const last = error.move === null ? [] : [error.move]
    const trace = [...seen.way(checked.state), ...last].map(sayLabel)
    return found({ law: error.law, detail: error.detail, trace })
  }
  return found(null)
}

/** States of one distance, in blocks so that millions of them are moved nowhere. */
function frontier() {
  const BLOCK = 1 << 16
  const blocks: Float64Array[] = []
  let last = new Float64Array(0)
  let used = BLOCK
  return {
    push(state: number): void {
      if (used === BLOCK) {
        last = new Float64Array(BLOCK)
        blocks.push(last)
        used = 0
      }
      last[used++] = state
    },
    size: () => (blocks.length === 0 ? 0 : (blocks.length - 1) * BLOCK + used),
    each(visit: (state: number) => void): void {
      for (const block of blocks) {
        const end = block === last ? used : BLOCK
        for (let i = 0; i < end; i++) visit(block[i] ?? 0)
      }
    },
  }
}
