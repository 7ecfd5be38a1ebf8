import type { TestLedger } from '../../ledger/support/a-ledger.js'

const MINUTE = 60_000

/** Ledgers that transcripts are run on, by the name their first line gives. Each is an afternoon that went wrong. */
export const SCENES: Readonly<Record<string, (ledger: TestLedger) => Promise<void>>> = {
  'nothing ever happened': async () => undefined,

  'a batch that a crash interrupted': async ({ store, clock, ...ledger }) => {
    const by = { actor: 'agent', clock }
    const task = { task_id: 'run-2', goal: 'Write the file, tell the channel, then start the crawler!' }
    await store.changeTask({
      task_id: 'run-2',
      request: { type: 'open', task },
      by,
      isOwnerGone: () => false,
    })
    const inBatch = (operation_id: string, tool: string) => ({
      operation_id,
      tool,
      task_id: 'run-2',
      step: 'b7',
      input: operation_id,
    })
    const look_here = {
      url: 'https://hooks.example/log',
      check: 'curl -s https://hooks.example/log | grep b7',
    }
    await ledger.confirmed(inBatch('op-a', 'write_file'))
    clock.advance(2 * MINUTE)
    await ledger.inFlight({ ...inBatch('op-b', 'post_webhook'), contract: { look_here } })
    await ledger.prepared(inBatch('op-c', 'spawn_agent'))
  },

  'an executor at work': async ledger => {
    await ledger.inFlight({ operation_id: 'op-1' })
  },

  'a charge that was made twice': async ({ clock, ...ledger }) => {
    const charge = { tool: 'create_charge', input: { cus: 'A', amount: 4200 }, timeout_ms: 30_000 }
    await ledger.confirmed({ ...charge, operation_id: 'op-5', idempotency_key: 'k1' })
    clock.advance(33_000)
    await ledger.imported({ ...charge, operation_id: 'op-6', idempotency_key: 'k2' })
  },

  'marked by hand': async ({ as, clock, ...ledger }) => {
    await ledger.rejected({ operation_id: 'op-170', tool: 'create_vm', input: 170 })
    await ledger.confirmed({ operation_id: 'op-171', tool: 'create_vm', input: 171 })
    clock.advance(MINUTE)
    const reason = 'created in console, vm-88'
    await as('ana').resolve('op-170', { as: 'confirmed', evidence: ['ticket OPS-12'], reason })
  },

  'names that look like something else': async ledger => {
    const ids = [
      'inv\u202Exslx.exe',
      'فاتورة 7',
      'a.b.Svc/Act(product,query,year:2024 month:4)',
      '100%',
      'a/../b',
      '-rf',
    ]
    for (const operation_id of ids)
      await ledger.lost({ operation_id, tool: '\u200btool', input: operation_id })
  },

  'a refund that waits for leave': async ({ clock, as, ...ledger }) => {
    const compensate = { tool: 'refund', input: { charge: '{external_id.ticket}' }, effect: 'irreversible' }
    await ledger.confirmed({
      operation_id: 'charge-2',
      tool: 'charge',
      target: 'order-9',
      effect: 'compensable',
      contract: { compensate: { ...compensate, contract: { approval: 'required' } } },
    })
    clock.advance(MINUTE)
    const { operation } = await as('flag:ana').compensate('charge-2', { reason: 'ordered twice' })
    await ledger.prepared({ operation_id: 'wire-3', input: 3, contract: { approval: 'required' } })
    clock.advance(MINUTE)
    const { digest } = await as('flag:lee').approvable('wire-3')
    await as('flag:lee').approve('wire-3', { digest, reason: 'invoice 31 checked' })
    await as('flag:lee').deny(operation.operation_id, { reason: 'the customer wants to keep one' })
  },
}
