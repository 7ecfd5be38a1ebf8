import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDuration } from '../../../src/core/duration.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import type { Stamp } from '../../../src/core/time.js'
import { monotonicMs } from '../../../src/host.js'
import { configGiven } from '../../../src/ledger/config-given.js'
import { type Ledger, ledgerOn, openLedger } from '../../../src/ledger.js'
import { createStore, openStore } from '../../../src/store/open.js'
import { type FakeService, type ServiceOptions, startService } from '../../../src/testing/index.js'

const root = join(import.meta.dirname, '../../..')

/** A folder with a ledger, a configuration and services, and a clock that tells the story backwards from now. */
export interface Stage {
  readonly folder: string
  /** path of the ledger; made by whoever opens it first */
  readonly ledger: string
  /** the environment of every command */
  readonly env: Readonly<Record<string, string>>
  /** when the stage was made, milliseconds since 1970: what the story is told back from */
  readonly zero: number
  /** what follows happens so long ago: `2h` */
  at(ago: string): void
  /** what the story counts as now, milliseconds since 1970 */
  now(): number
  /** what follows happens now, by the machine's own clocks */
  present(): void
  /** a service that goes on until the stage is taken down; its clock is the story's */
  service(options?: Omit<ServiceOptions, 'clock'>): Promise<FakeService>
  /** the tools of agent-ledger.yaml */
  tools(yaml: string): void
  file(name: string, text: string, mode?: number): void
  /** a variable of the environment of every command */
  secret(name: string, value: string): void
  /** The ledger as somebody of the story has it open, on its clock. */
  as(actor: string, given?: { readonly waitMs?: number }): Promise<Ledger>
  /** The ledger as the agent opens it when it is started again, with its configuration. */
  again(): Promise<Ledger>
  /** taken down at the end, last first */
  afterwards(work: () => unknown): void
  /** a line with the address of the service, where it names the one that transcripts have */
  addressed(line: string): string
  /** the other way: what was printed, with the address that transcripts have */
  steadied(text: string): string
  /** objects at all services, by collection */
  outside(): Readonly<Record<string, number>>
  /** counts of a service of another kind */
  counts(of: () => Readonly<Record<string, number>>): void
  down(): Promise<void>
}

/** Nobody of this machine: a process whose death cannot be seen from here. */
const OWNER = 'worker-3/4f1d/2211/4026531836.4026531834/991201/5c1f00aa12de'

/** How transcripts and recorded lines name the address of a service, whose port is another each time. */
export const STEADY_URL = 'http://127.0.0.1:8080'

export function createStage(folder = mkdtempSync(join(tmpdir(), 'agent-ledger-drill-'))): Stage {
  const ledger = join(folder, 'ledger.db')
  const config = join(folder, 'agent-ledger.yaml')
  const ends: (() => unknown)[] = []
  const counted: (() => Readonly<Record<string, number>>)[] = []
  const urls: string[] = []
  const zero = Date.now()
  let back = 0
  // Wall time alone: a boot clock cannot have run on a day that is told.
  const clock = (): Stamp => ({ at: Date.now() - back, boot_id: '', boot_ms: 0 })
  const contracts = () => configGiven(existsSync(config) ? config : undefined)
  const env: Record<string, string> = {
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    HOME: folder,
    AGENT_LEDGER: 'ledger.db',
    AGENT_LEDGER_BY: 'ana',
    LC_ALL: 'C.UTF-8',
  }
  writeProgram(folder)
  return {
    folder,
    ledger,
    zero,
    env,
    at: ago => {
      const span = parseDuration(ago)
      if (span === undefined) throw new Error(`${ago} is no span of time`)
      back = span
    },
    now: () => clock().at,
    present: () => {
      back = 0
    },
    service: async options => {
      const service = await startService({ ...options, clock })
      ends.push(service.close)
      urls.push(service.url)
      counted.push(() => tally(service.effects().map(({ collection }) => collection)))
      return service
    },
    tools: yaml => writeFileSync(config, `ledger: ledger.db\ntools:\n${yaml}`),
    file: (name, text, mode = 0o600) => writeFileSync(join(folder, name), text, { mode }),
    secret: (name, value) => {
      env[name] = value
    },
    as: async (actor, given = {}) => {
      const asked = { url: ledger, clock, program: 'a drill', ...given }
      await createStore(asked)
      const store = await openStore(asked)
      ends.push(() => store.close())
      return ledgerOn({
        store,
        clock,
        monotonicMs,
        actor,
        owner: OWNER,
        isOwnerGone: () => false,
        config: await contracts(),
        mask: createRedactor(),
        warn: () => {},
      })
    },
    again: async () => {
      const opened = await openLedger(ledger, {
        create: false,
        config: await contracts(),
        onWarning: () => {},
      })
      ends.push(() => opened.close())
      return opened
    },
    afterwards: work => void ends.push(work),
    steadied: text => urls.reduce((steady, url) => steady.replaceAll(url, STEADY_URL), text),
    addressed: line => line.replaceAll(STEADY_URL, urls[0] ?? STEADY_URL),
    outside: () => {
      const all: Record<string, number> = {}
      for (const counts of counted)
        for (const [name, count] of Object.entries(counts())) all[name] = (all[name] ?? 0) + count
      return all
    },
    counts: of => void counted.push(of),
    down: async () => {
      for (const end of ends.splice(0).reverse()) await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The program under the name that every output prints. */
function writeProgram(folder: string): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = join(bin, 'agent-ledger')
  const typed = join(folder, 'typed.log')
  const lines = [
    '#!/bin/sh',
    `echo "agent-ledger $*" >> '${typed}'`,
    `exec '${process.execPath}' '${join(root, 'bin/agent-ledger.js')}' "$@"`,
  ]
  writeFileSync(program, `${lines.join('\n')}\n`)
  chmodSync(program, 0o700)
}

export function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
