import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_CONFIG } from '../../../src/config/config.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { type Ledger, ledgerOn } from '../../../src/ledger.js'
import { createStore, openStore } from '../../../src/store/open.js'
import type { Store } from '../../../src/store/store.js'
import { testClock } from '../../../src/testing/index.js'

/** A machine with one ledger file, two executors and a person on it, and clocks in the test's hands. */
export interface Machine {
  readonly store: () => Store
  /** the ledger as an executor has it open */
  readonly executor: (by: number) => Ledger
  /** false: the process that had it open so is gone */
  readonly lives: (executor: Ledger) => boolean
  readonly person: () => Ledger
  /** milliseconds that have truly passed */
  readonly trueNow: () => number
  wait(ms: number): void
  /** the wall clock stands so much ahead of the truth */
  setClock(aheadMs: number): void
  reboot(): void
  /** the process is gone, and the machine can tell */
  die(by: number): void
  reopen(): Promise<void>
  end(): Promise<void>
}

const BEGIN = Date.UTC(2026, 0, 1)

export async function aMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-sequence-'))
  const clock = testClock(BEGIN)
  const asked = { url: join(folder, 'ledger.db'), clock, program: 'a proof', waitMs: 1_000 }
  await createStore(asked)
  let store = await openStore(asked)
  let passed = 0
  let ahead = 0
  const lives = [0, 0]
  const gone = new Set<string>()
  const nameOf = (by: number) => `executor-${by}-${lives[by] ?? 0}`
  const open = (owner: string, actor: string): Ledger =>
    ledgerOn({
      store,
      clock,
      monotonicMs: () => passed,
      actor,
      owner,
      isOwnerGone: holder => gone.has(holder.split('.')[0] ?? ''),
      config: NO_CONFIG,
      mask: createRedactor(),
      warn: () => {},
    })
  let executors = lives.map((_, by) => open(nameOf(by), nameOf(by)))
  let person = open('a-person', 'ana')

  const startAgain = (by: number): void => {
    lives[by] = (lives[by] ?? 0) + 1
    executors = executors.map((old, n) => (n === by ? open(nameOf(n), nameOf(n)) : old))
  }
  const die = (by: number): void => {
    gone.add(nameOf(by))
    startAgain(by)
  }
  return {
    store: () => store,
    executor: by => executors[by] ?? person,
    lives: executor => executors.includes(executor),
    person: () => person,
    trueNow: () => passed,
    wait(ms) {
      passed += ms
      clock.advance(ms)
    },
    setClock(aheadMs) {
      ahead = aheadMs
      clock.setWall(BEGIN + passed + ahead)
    },
    reboot() {
      for (const by of [0, 1]) die(by)
      clock.reboot()
    },
    die,
    async reopen() {
      await store.close()
      store = await openStore(asked)
      for (const by of [0, 1]) startAgain(by)
      person = open('a-person', 'ana')
    },
    async end() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
