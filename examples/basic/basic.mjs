// The library in one page: a write whose answer is lost, what the agent is told, and how it goes on after a person looked.
//   node basic.mjs [folder]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notExecuted, openLedger, operationId } from 'agent-ledger'
import { startService } from 'agent-ledger/testing'

const [folder = mkdtempSync(join(tmpdir(), 'agent-ledger-basic-'))] = process.argv.slice(2)

// A ticket service that does the work and loses its first answer. Yours has its own ways to do that.
const service = await startService({
  faults: [{ action: 'create', calls: [1], fault: { kind: 'drop_response' } }],
})
const ledger = await openLedger(join(folder, 'ledger.db'))
const task = await ledger.task('alert-4711', { goal: 'Look after a full disk', agent: 'basic-example' })

console.log('the answer is lost: ', await openTicket('Disk full on db-2'))
console.log('asked again:        ', await openTicket('Disk full on db-2'))
console.log('tickets at the service:', service.effects().length)

// A person looks at the service, finds the ticket, and says so. On the command line this is `agent-ledger resolve`.
const [ticket] = service.effects()
await ledger.resolve(idOf('Disk full on db-2'), {
  as: 'confirmed',
  evidence: [`${service.url}/tickets/${ticket.id}`],
  externalIds: [{ kind: 'ticket', value: ticket.id }],
  result: { id: ticket.id },
  reason: 'found in the list of tickets',
})
console.log('after that:         ', await openTicket('Disk full on db-2'))
console.log('another one:        ', await openTicket('Fan loud on db-3'))
console.log('refused for certain:', await openTicket(''))
console.log('tickets at the service:', service.effects().length)

await task.complete()
await ledger.close()
await service.close()

/** One outside write, guarded. What it says is what the agent, or its model, should be told. */
async function openTicket(title) {
  const input = { title }
  const outcome = await ledger.run(
    { id: idOf(title), task: 'alert-4711', tool: 'tickets.open', effect: 'compensable', input },
    async ({ signal, externalId }) => {
      if (title === '') throw notExecuted('a ticket needs a title')
      const response = await fetch(`${service.url}/tickets`, {
        method: 'POST',
        body: JSON.stringify(input),
        signal,
      })
      const { id, url } = await response.json()
      await externalId('ticket', id, { url })
      return { id }
    },
  )
  switch (outcome.status) {
    case 'confirmed':
      return `${outcome.result.id} is open (${outcome.replayed ? 'on record' : 'just now'}, by ${outcome.by})`
    case 'unknown':
      return `it may be open: do not repeat, look. ${outcome.next_action.reason}`
    case 'not_executed':
      return `certainly not open: ${outcome.reason}`
    case 'waiting':
      return `not sent yet, waits for ${outcome.for}: ${outcome.reason}`
    case 'in_progress':
      return `another process is at it`
    case 'unrecorded':
      return `${outcome.result.id} is open, and the ledger could not record it. Record it with: ${outcome.command}`
    case 'cancelled':
    case 'abandoned':
      return `not open, and not to be opened: it was ${outcome.status}`
  }
}

/** The same intent comes to the same id, in this run and after any restart. */
function idOf(title) {
  return operationId({ task: 'alert-4711', tool: 'tickets.open', input: { title } })
}
