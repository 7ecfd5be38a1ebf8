import { LedgerError } from '../core/errors.js'
import type { Stamp } from '../core/time.js'
import { createStore, openStore } from '../store/open.js'
import { momentsOf } from './moments.js'
import { STORIES } from './stories/index.js'
import { worldOf } from './world.js'

interface Sample {
  readonly path: string
  /** what the sample counts as now, milliseconds since 1970 UTC */
  readonly now: number
  /** the program and its version */
  readonly program: string
}

/**
 * Writes the sample ledger: about ten tasks with operations in every state, told back from now, by the verbs that agents
 * and people use. Throws `invalid_input` when there is a file already; it is left as it is.
 */
export async function writeSample({ path, now, program }: Sample): Promise<void> {
  let at = now
  // Wall time alone: a boot clock cannot have run on the days that are told.
  const clock = (): Stamp => ({ at, boot_id: '', boot_ms: 0 })
  const moments = momentsOf(STORIES, now)
  at = moments[0]?.at ?? now
  const asked = { url: path, clock, program }
  if (!(await createStore(asked)))
    throw new LedgerError('invalid_input', `${path} is there already; it was left as it is`, {
      path,
      hint: 'Name another folder, or remove that one yourself.',
    })
  const store = await openStore(asked)
  try {
    const world = worldOf(store, clock)
    for (const moment of moments) {
      at = moment.at
      await moment.happens(world)
    }
  } finally {
    await store.close()
  }
}
