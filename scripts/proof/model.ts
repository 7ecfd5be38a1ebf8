import { type Row, story, table } from '../../test/model/report.js'
import { search } from '../../test/model/search.js'
import { nameOf } from '../../test/model/setup.js'
import { LONG } from '../../test/model/setups.js'
import type { Part } from './part.js'

/** States are counted in tens of millions: without their ways they take 16 bytes each at most. */
export const model: Part = {
  name: 'model',
  title: 'every state of one operation that can be reached, each move decided by the core itself',
  run(say) {
    const rows: Row[] = []
    for (const setup of LONG) {
      const from = performance.now()
      const found = search(setup, { tracing: false, expected: 1 << 20 })
      rows.push({ setup, found })
      say(`${nameOf(setup)}: ${found.states.toLocaleString('en')} states in ${seconds(from)} s`)
      if (found.counterexample !== null) {
        // again, now keeping how each state was reached
        const again = search(setup, { tracing: true })
        say(story(again.counterexample ?? found.counterexample))
        return false
      }
    }
    say(table(rows))
    return true
  },
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(0)
}
