import { fileURLToPath } from 'node:url'
import { type Done, findsOf, runSeeds, tally, totals } from '../../test/proof/kills/tally.js'
import { bundleOf } from '../../test/support/bundle.js'
import type { Part } from './index.js'

const PROGRAM = fileURLToPath(new URL('../../test/proof/kills/agent-program.ts', import.meta.url))
const RUNS = 5_000
/** after so many it says what they came to: a run of hours that is ended is not lost */
const SAID_EVERY = 250

export const kills: Part = {
  name: 'kills',
  title: 'processes ended by SIGKILL at every named place, and what is left of their work',
  async run(say, { from, runs }) {
    const { bundle, make, remove } = bundleOf(PROGRAM)
    await make()
    try {
      const seeds = Array.from({ length: runs ?? RUNS }, (_, n) => from + n)
      const done: Done[] = []
      const all = await runSeeds(bundle, seeds, one => {
        for (const find of findsOf([one])) say(find)
        done.push(one)
        if (done.length % SAID_EVERY === 0) say(totals(done))
      })
      say(tally(all))
      return findsOf(all).length === 0
    } finally {
      remove()
    }
  },
}
