import fc from 'fast-check'
import { sequences as any } from '../../test/proof/sequences/actions.js'
import { played } from '../../test/proof/sequences/played.js'
import type { Part } from './part.js'

const RUNS = 5_000

export const sequences: Part = {
  name: 'sequences',
  title: 'what executors, people, clocks and the network do, in any order, on a real ledger',
  async run(say, { from, runs }) {
    const counts = new Map<string, number>()
    const property = fc.asyncProperty(any, async actions => {
      const { broken, events } = await played(actions)
      for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1)
      if (broken.length > 0) throw new Error(broken.join('\n'))
    })
    const found = await fc.check(property, { numRuns: runs ?? RUNS, seed: from })
    say(`${found.numRuns} sequences from seed ${from}; events: ${shown(counts)}`)
    if (found.failed) say(fc.defaultReportMessage(found) ?? 'failed')
    return !found.failed
  },
}

function shown(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([event, count]) => `${event} ${count}`)
    .join(', ')
}
