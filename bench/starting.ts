import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Bench, type Figure, median } from './figure.js'

const program = join(import.meta.dirname, '..', 'bin', 'agent-ledger.js')
const ROUNDS = 30

/** How long a start takes, as a multiple of starting node itself; round robin, so that a slow moment hits all alike. */
export const starting: Bench = {
  name: 'starting',
  measure: async () => {
    const cases = {
      'node -e 0': ['-e', '0'],
      '--version': [program, '--version'],
      '--help': [program, '--help'],
      'help of a command': [program, 'schema', '--help'],
      completion: [program, 'complete', '--', 'li'],
    }
    const times = new Map<string, number[]>(Object.keys(cases).map(name => [name, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, argv] of Object.entries(cases)) times.get(name)?.push(startMs(argv))
    }
    const floor = median(times.get('node -e 0') ?? [])
    return [...times].map(([what, found]): Figure => {
      if (what === 'node -e 0') return { what, value: floor, unit: 'ms' }
      return { what, value: median(found) / floor, unit: 'x node -e 0', bar: { is: 'at most', value: 1.2 } }
    })
  },
}

function startMs(argv: readonly string[]): number {
  const from = performance.now()
  const { status } = spawnSync(process.execPath, argv, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`)
  return performance.now() - from
}
