// An agent with one costly write: it opens a ticket. Start it again after a crash and it does not open a second one.
//   node agent.mjs <ledger> <url of the ticket service>
import { openLedger, operationId } from 'agent-ledger'
import { crashPoint } from 'agent-ledger/testing'

const [location, service] = process.argv.slice(2)
const ledger = await openLedger(location)

const task = 'alert-4711'
const input = { title: 'Disk full on db-2', queue: 'operations' }
await ledger.task(task, { goal: 'Look after the alert "disk full on db-2"', agent: 'crash-example' })

const outcome = await ledger.run(
  {
    // One alert, one ticket: however the model words it the next time, it is the same operation.
    id: operationId({ task, tool: 'tickets.open' }),
    task,
    tool: 'tickets.open',
    effect: 'compensable',
    repeat: { kind: 'none' },
    target: 'operations',
    input,
    contract: { look_here: { url: `${service}/tickets?title=${encodeURIComponent(input.title)}` } },
  },
  async ({ signal }) => {
    const request = { method: 'POST', body: JSON.stringify(input), signal }
    const response = await fetch(`${service}/tickets`, request).catch(lost)
    if (response.status !== 201) throw new Error(`the ticket service answered ${response.status}`)
    return response.json()
  },
)

switch (outcome.status) {
  case 'confirmed':
    console.log(
      `agent: the ticket is open: ${outcome.result.id}${outcome.replayed ? ' (from the ledger)' : ''}`,
    )
    break
  case 'unknown':
    console.log(`agent: the ticket may be open; not sent again (${outcome.next_action.reason})`)
    break
  default:
    console.log(`agent: the ticket is not open: ${outcome.status}`)
}
await ledger.close()

/** The answer is lost. Told so by AGENT_LEDGER_CRASH_AT=answer_lost, the process is killed right here. */
function lost(error) {
  crashPoint('answer_lost')
  throw error
}
