import { fileURLToPath } from 'node:url'
import { compete, rejections, summary, wins } from '../../test/proof/claims/compete.js'
import { bundleOf } from '../../test/support/bundle.js'
import type { Part } from './part.js'

const PROGRAM = fileURLToPath(new URL('../../test/proof/claims/worker-program.ts', import.meta.url))
const OPERATIONS = 10_000

export const claims: Part = {
  name: 'claims',
  title: 'eight processes that want the same operations',
  async run(say, { runs }) {
    const operations = runs ?? OPERATIONS
    const { bundle, make, remove } = bundleOf(PROGRAM)
    await make()
    try {
      const competed = await compete(bundle, operations)
      say(summary(competed))
      const isOnce = competed.effects.length === operations && new Set(competed.effects).size === operations
      const least = Math.min(...wins(competed)) / (operations / wins(competed).length)
      const problems = [
        ...(isOnce ? [] : [`${competed.effects.length} effects of ${operations} operations`]),
        ...rejections(competed),
        ...(least < 0.25 ? [`a process won ${(100 * least).toFixed(0)} % of the mean`] : []),
        ...competed.findings.map(found => JSON.stringify(found)),
      ]
      for (const problem of problems) say(problem)
      return problems.length === 0
    } finally {
      remove()
    }
  },
}
