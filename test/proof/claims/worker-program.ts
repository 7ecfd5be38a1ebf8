import { appendFileSync, writeSync } from 'node:fs'
import { openLedger } from '../../../src/index.js'

// One of several processes that all want the same operations carried out, in the same order.

const [path = '', world = '', operations = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const ledger = await openLedger(path, { waitMs: 60_000 })
  writeSync(1, 'ready\n')
  await new Promise(resolve => process.stdin.once('data', resolve))
  const outcomes: Record<string, number> = {}
  let longestMs = 0
  for (let n = 1; n <= Number(operations); n++) {
    const id = `thing-${n}`
    const from = performance.now()
    const outcome = await ledger
      .run({ id, task: 'task-1', tool: 'things.create', input: { n } }, () => {
        appendFileSync(world, `${id}\n`)
        return { n }
      })
      .catch((error: { code?: string }) => ({ status: `rejected: ${error.code ?? error}` }))
    longestMs = Math.max(longestMs, performance.now() - from)
    const came = 'replayed' in outcome && !outcome.replayed ? 'won' : outcome.status
    outcomes[came] = (outcomes[came] ?? 0) + 1
  }
  await ledger.close()
  writeSync(1, `${JSON.stringify({ outcomes, longestMs })}\n`)
  process.exit(0)
}

void main()
