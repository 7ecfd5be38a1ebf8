import { openLedger, operationId } from '../../../src/index.js'
import { crashPoint } from '../../../src/testing/index.js'

// An agent with one costly write, run as a process of its own: it opens a ticket at the service given.

// The last argument is JSON: what of the call is to be otherwise, and whether it waits to be told to begin.
const [path = '', service = '', otherwise = '{}'] = process.argv.slice(2)
const { waits = false, ...over } = JSON.parse(otherwise)

async function main(): Promise<void> {
  const ledger = await openLedger(path, { actor: 'agent' })
  if (waits) {
    console.log('ready')
    await new Promise(resolve => process.stdin.once('data', resolve))
  }
  const task = 'alert-4711'
  const input = over.input ?? { title: 'Disk full on db-2', priority: 'high' }
  const outcome = await ledger.run(
    {
      id: operationId({ task, tool: 'tickets.open' }),
      task,
      tool: 'tickets.open',
      input,
      ...over,
    },
    async ({ idempotencyKey, signal }) => {
      crashPoint('before_the_call')
      const response = await fetch(`${service}/tickets`, {
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body: JSON.stringify(input),
        signal,
      })
      crashPoint('effect_done')
      return response.json()
    },
  )
  console.log(JSON.stringify(outcome))
  await ledger.close()
}

main().catch((error: { code?: string; rule?: string }) => {
  console.log(JSON.stringify({ refused: error.code, rule: error.rule }))
})
