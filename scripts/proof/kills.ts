import { fileURLToPath } from 'node:url'
import { findsOf, runSeeds, tally } from '../../test/proof/kills/tally.js'
import { bundleOf } from '../../test/support/bundle.js'
import type { Part } from './index.js'

const PROGRAM = fileURLToPath(new URL('../../test/proof/kills/agent-program.ts', import.meta.url))
const RUNS = 5_000
/** after so many the seeds that are done are said */
const SAID_EVERY = 500

export const kills: Part = {
  name: 'kills',
  title: 'processes ended by SIGKILL at every named place, and what is left of their work',
  async run(say, { from, runs }) {
    const { bundle, make, remove } = bundleOf(PROGRAM)
    await make()
    try {
      const seeds = Array.from({ length: runs ?? RUNS }, (_, n) => from + n)
      let done = 0
      const all = await runSeeds(bundle, seeds, one => {
        for (const find of findsOf([one])) say(find)
        if (++done % SAID_EVERY === 0) say(`${done} of ${seeds.length} runs`)
      })
      say(tally(all))
      return findsOf(all).length === 0
    } finally {
      remove()
    }
  },
}
