import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseConfig } from '../../../src/config/load.js'
import type { Intent } from '../../../src/core/operation.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { signalGroup } from '../../../src/host.js'
import type { ReconcileBody, ReconcileOptions } from '../../../src/ledger/reconciling.js'
import { reconciling } from '../../../src/ledger/reconciling.js'
import type { Session } from '../../../src/ledger/session.js'
import { OWNER, type TestLedger } from '../../ledger/support/a-ledger.js'

const MINUTE = 60_000
const SECONDS = 1_000

/** A ledger with one tool `write` of a ready contract, and the means to ask the service. */
export interface Contracted {
  readonly ledger: TestLedger
  readonly now: () => number
  /** writes the operation down, sends it, and loses the answer */
  readonly lost: (operation_id: string, input?: object, over?: Partial<Intent>) => Promise<Lost>
  readonly ask: (operation_id: string, options?: ReconcileOptions) => Promise<ReconcileBody>
  /** asks, waits until the next useful look, and asks again, so many times */
  readonly askTo: (operation_id: string, looks: number) => Promise<readonly ReconcileBody[]>
  /** past the last moment that the request could arrive */
  readonly pastArrival: () => void
}

export interface Lost {
  readonly operation_id: string
  readonly idempotency_key: string
}

export interface ContractedOptions {
  readonly service: string
  readonly with: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** further lines of the tool */
  readonly yaml?: string
  readonly ledger: TestLedger
}

export function contracted({
  service,
  with: given,
  env = {},
  yaml = '',
  ledger,
}: ContractedOptions): Contracted {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  const path = join(folder, 'agent-ledger.yaml')
  // An empty one is not given: a file cannot say it.
  const parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const text = `tools:\n  write:\n    service: ${service}\n    with: ${JSON.stringify(parameters)}\n${yaml}`
  writeFileSync(path, text)
  const config = parseConfig(text, path)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const session: Session = {
    store: ledger.store,
    clock: ledger.clock,
    monotonicMs: () => 0,
    actor: 'ana',
    owner: OWNER,
    isOwnerGone: owner => ledger.gone.has(owner),
    config,
    mask: createRedactor(),
    warn: () => undefined,
    outside: {
      env: { PATH: process.env.PATH, ...env },
      folder,
      node: process.execPath,
      signalGroup,
      trust: () => ({ trusted: true }),
    },
  }
  const { reconcile } = reconciling(session)
  const ask: Contracted['ask'] = async (operation_id, options) => {
    for await (const body of reconcile(operation_id, options)) return body
    throw new Error('reconcile said nothing')
  }
  const tool = config.tools.write
  return {
    ledger,
    now: () => ledger.clock().at,
    lost: async (operation_id, input = {}, over = {}) => {
      const { operation } = await ledger.lost({
        operation_id,
        tool: 'write',
        input: JSON.parse(JSON.stringify({ ...input })),
        contract: tool?.contract ?? {},
        ...(tool?.repeat === undefined ? {} : { repeat: tool.repeat }),
        ...over,
      })
      return { operation_id, idempotency_key: operation.idempotency_key }
    },
    ask,
    askTo: async (operation_id, looks) => {
      const said: ReconcileBody[] = []
      for (let n = 0; n < looks; n += 1) {
        const body = await ask(operation_id)
        said.push(body)
        const next = Date.parse(body.next_look_at ?? '')
        ledger.clock.advance(Number.isFinite(next) ? Math.max(next - ledger.clock().at, 0) + SECONDS : MINUTE)
      }
      return said
    },
    pastArrival: () => ledger.clock.advance(PAST_ARRIVAL_MS),
  }
}

// No contract has a longer bound of arrival and lag together.
const PAST_ARRIVAL_MS = 5 * 60 * MINUTE
