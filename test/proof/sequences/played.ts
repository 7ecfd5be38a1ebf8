import type { Action } from './actions.js'
import { brokenLaws, recordsOf } from './laws.js'
import { aMachine } from './machine.js'
import { createOutside, KINDS } from './outside.js'
import { play, type Scene } from './play.js'

/** What came of a sequence. */
export interface Played {
  /** the laws that broke first, and after which action */
  readonly broken: readonly string[]
  /** the kinds of events that the operations went through */
  readonly events: readonly string[]
}

/** Plays a sequence on a ledger of its own, and looks at everything after each action. */
export async function played(actions: readonly Action[]): Promise<Played> {
  const machine = await aMachine()
  const scene: Scene = { machine, outside: createOutside(), air: [], accepted: new Map(), seen: new Map() }
  try {
    let before = await recordsOf(scene)
    for (const [n, action] of actions.entries()) {
      await play(scene, action)
      const after = await recordsOf(scene)
      const broken = await brokenLaws(scene, before, after)
      if (broken.length > 0) return { broken: broken.map(law => `after action ${n + 1}: ${law}`), events: [] }
      before = after
    }
    return { broken: [], events: await eventsOf(scene) }
  } finally {
    await machine.end()
  }
}

async function eventsOf({ machine }: Scene): Promise<string[]> {
  const all = await Promise.all(
    KINDS.map(({ id }) => machine.store().events({ about: { operation_id: id }, limit: 1_000 })),
  )
  return all.flat().map(({ type }) => type)
}
