import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, statSync } from 'node:fs'
import { NO_CONFIG } from '../../../src/config/config.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { isOwnerGone, monotonicMs, ownerOf, systemClock } from '../../../src/host.js'
import { ledgerOn } from '../../../src/ledger.js'
import { createStore, openStore } from '../../../src/store/open.js'
import type { Store } from '../../../src/store/store.js'
import { crashPoint } from '../../../src/testing/index.js'

// A process that carries one operation out, with named places where it may be killed.

const [role = '', path = '', world = ''] = process.argv.slice(2)

/** The store with a place to die before and after each of its changes. */
function crashing(store: Store): Store {
  let changes = 0
  return {
    ...store,
    change: async asked => {
      const n = ++changes
      crashPoint(`before_change_${n}`)
      const changed = await store.change(asked)
      crashPoint(`after_change_${n}`)
      return changed
    },
  }
}

async function ledger() {
  const clock = systemClock()
  const asked = { url: path, clock, program: 'a test', waitMs: 10_000 }
  await createStore(asked)
  const store = await openStore(asked)
  const session = {
    store: crashing(store),
    clock,
    monotonicMs,
    actor: 'agent',
    owner: ownerOf(),
    isOwnerGone,
    config: NO_CONFIG,
    mask: createRedactor(),
    warn: () => {},
  }
  return ledgerOn(session)
}

const call = { id: 'ticket-1', task: 'task-1', tool: 'tickets.create', input: { title: 'Disk full' } }

const ROLES: Record<string, () => Promise<void>> = {
  /** the effect happens in the handler */
  effect: async () => {
    const outcome = await (await ledger()).run(call, ({ attempt }) => {
      crashPoint('in_handler')
      appendFileSync(world, `attempt ${attempt} by ${process.pid}\n`)
      crashPoint('after_effect')
      return { id: 'T-1' }
    })
    console.log(JSON.stringify(outcome))
  },
  /** stays in the handler until it is told to end */
  waiting: async () => {
    const outcome = await (await ledger()).run({ ...call, leaseMs: 60_000 }, async () => {
      appendFileSync(world, `by ${process.pid}\n`)
      console.log('in the handler')
      await new Promise(resolve => process.stdin.once('data', resolve))
      return { id: 'T-1' }
    })
    console.log(JSON.stringify(outcome))
    process.exit(0)
  },
  /** from inside the handler on, no file may grow beyond the ledger's log: what a full disk looks like */
  full: async () => {
    const opened = await ledger()
    const first = await opened.run(call, () => {
      appendFileSync(world, 'first\n')
      const most = statSync(`${path}-wal`).size
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${most}:unlimited`])
      return { id: 'T-1' }
    })
    const asked = async (over: { id: string; task?: string }) => {
      const handler = () => appendFileSync(world, 'further\n')
      return opened
        .run({ ...call, input: over, ...over }, handler)
        .catch((error: { code: string }) => error.code)
    }
    const second = await asked({ id: 'same-task' })
    const third = await asked({ id: 'other-task', task: 'task-2' })
    console.log(JSON.stringify({ first, second, third }))
    process.exit(0)
  },
  /** opens, says so, and runs when it is told to: for races */
  racing: async () => {
    const opened = await ledger()
    console.log('ready')
    await new Promise(resolve => process.stdin.once('data', resolve))
    const outcomes = []
    for (let i = 0; i < 200; i++) {
      const outcome = await opened.run({ ...call, id: `race-${i}`, input: { n: i } }, async () => {
        appendFileSync(world, `race-${i}\n`)
        // the first one lasts until the other process has met it, so that there is a race
        do await new Promise(resolve => setTimeout(resolve, 1))
        while (!existsSync(`${world}.met`))
        return process.pid
      })
      if (outcome.status === 'in_progress') appendFileSync(`${world}.met`, 'met\n')
      outcomes.push(outcome.status === 'confirmed' && outcome.replayed ? 'replayed' : outcome.status)
    }
    console.log(JSON.stringify(outcomes))
    process.exit(0)
  },
}

void ROLES[role]?.()
