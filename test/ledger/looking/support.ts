import { NO_CONFIG } from '../../../src/config/config.js'
import { DOCUMENTS } from '../../../src/core/documents/index.js'
import { type Looking, looking } from '../../../src/ledger/looking.js'
import { aLedger, type TestLedger } from '../support/a-ledger.js'

/** A real ledger with the verbs of whoever looks at it. */
export async function aSeenLedger(): Promise<TestLedger & { readonly see: Looking }> {
  const ledger = await aLedger()
  const see = looking({
    store: ledger.store,
    clock: ledger.clock,
    isOwnerGone: owner => ledger.gone.has(owner),
    config: NO_CONFIG,
  })
  return { ...ledger, see }
}

/** Fails where a body is not what its published schema says, and gives it back. */
export function asPublished<T extends object>(name: string, body: T): T {
  const head = { schema: `agent-ledger/${name}`, ledger: '/l.db', as_of: '2026-03-10T12:00:00.000Z' }
  DOCUMENTS[name]?.parse(JSON.parse(JSON.stringify({ ...head, ...body })))
  return body
}

export async function idsOf(see: Looking, query?: Parameters<Looking['list']>[0]): Promise<string[]> {
  const { operations } = asPublished('list@1', await see.list(query))
  return operations.map(({ operation_id }) => operation_id)
}

/** The verbs of whoever looks at a ledger at another moment than its clock's. */
export function lookingAt(ledger: TestLedger, at: number): Looking {
  return looking({
    store: ledger.store,
    clock: () => ({ ...ledger.clock(), at }),
    isOwnerGone: owner => ledger.gone.has(owner),
    config: NO_CONFIG,
  })
}
