import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseConfig } from '../../../src/config/load.js'
import type { Intent } from '../../../src/core/operation.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { signalGroup } from '../../../src/host.js'
import type { ReconcileBody, ReconcileFilter, ReconcileOptions } from '../../../src/ledger/reconciling.js'
import { reconciling } from '../../../src/ledger/reconciling.js'
import type { Session } from '../../../src/ledger/session.js'
import { aLedger, OWNER, type TestLedger } from './a-ledger.js'

export const MINUTE = 60_000

export const TOKEN = 'tok_4f9a8b7c6d5e'

export interface Asking {
  readonly ledger: TestLedger
  readonly session: Session
  readonly ask: (
    which: string | readonly string[] | ReconcileFilter,
    options?: ReconcileOptions,
  ) => Promise<ReconcileBody[]>
}

/** A ledger, and a tool `tickets.create` whose probe reads what this server answers. */
export async function asking(url: string, yaml = '', trusted = true): Promise<Asking> {
  const ledger = await aLedger()
  const path = join(dirname(ledger.path), 'agent-ledger.yaml')
  const text = `tools:
  tickets.create:
    arrival: 10m
    settle: 5m
    probe:
      kind: http
      grade: C
      url: ${url}/tickets
      parent: ${url}/
      headers: { authorization: 'Bearer {env.TOKEN}' }
      match: { key: key }
      id: { kind: ticket, value: id }
      result: '{ticket: id}'
${yaml}`
  writeFileSync(path, text)
  const session: Session = {
    store: ledger.store,
    clock: ledger.clock,
    monotonicMs: () => 0,
    actor: 'ana',
    owner: OWNER,
    isOwnerGone: owner => ledger.gone.has(owner),
    config: parseConfig(text, path),
    mask: createRedactor(),
    warn: () => undefined,
    outside: {
      env: { TOKEN, PATH: process.env.PATH },
      folder: '/',
      node: process.execPath,
      signalGroup,
      trust: () => (trusted ? { trusted } : { trusted, why: 'nobody trusted it' }),
    },
  }
  const { reconcile } = reconciling(session)
  const ask: Asking['ask'] = async (which, options) => {
    const bodies: ReconcileBody[] = []
    for await (const body of reconcile(which, options)) bodies.push(body)
    return bodies
  }
  return { ledger, session, ask }
}

export const lost = (ledger: TestLedger, operation_id: string, over: Partial<Intent> = {}) =>
  ledger.lost({
    operation_id,
    input: operation_id,
    contract: { arrival_bound_ms: 10 * MINUTE, settle_ms: 5 * MINUTE },
    ...over,
  })
