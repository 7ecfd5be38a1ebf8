// A process that stands for some machines of a fleet: each has a ledger of its own with a pool of its own, and its agents
// run guarded operations until the time is over. What each did goes to stdout as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { openLedger } from '../src/index.js'
import { writeOutside } from '../test/proof/kills/outside.js'
import type { FleetPart, PartDone } from './fleet.js'

const part: FleetPart = JSON.parse(process.argv[2] ?? '{}')
const done: PartDone = { machines: [], waits: [], other: {} }

await Promise.all(part.machines.map(machine))
process.stdout.write(JSON.stringify(done))

async function machine(name: number): Promise<void> {
  const ledger = await openLedger(part.url, { onWarning: () => {}, waitMs: 120_000 })
  await sleep(Math.max(0, part.from - Date.now()))
  const counts = await Promise.all(Array.from({ length: part.agents }, (_, n) => agent(`m${name}-a${n}`)))
  done.machines.push({ name, agents: counts })
  await ledger.close()

  async function agent(id: string): Promise<number> {
    let ended = 0
    for (let n = 0; Date.now() < part.until; n++) {
      const operation = `${id}-${n}`
      const began = performance.now()
      let calledMs = 0
      const { status } = await ledger.run(
        { id: operation, task: id, tool: 'tickets.open', effect: 'compensable', input: { for: operation } },
        async context => {
          const from = performance.now()
          // What an outside call takes, so that agents are as seldom at the ledger as real ones are.
          await sleep(part.callMs * (0.5 + Math.random()))
          const outside = { url: part.service, mode: 'plain' as const, id: operation, pass: () => {} }
          const made = await writeOutside(outside, context)
          calledMs = performance.now() - from
          return made
        },
      )
      done.waits.push(Math.round(performance.now() - began - calledMs))
      if (status === 'confirmed') ended += 1
      else done.other[status] = (done.other[status] ?? 0) + 1
    }
    return ended
  }
}
