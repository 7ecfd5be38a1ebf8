// The whole story of this example, told with real processes: the graph opens a ticket, the answer is lost, the process
// is killed, a person takes over, the graph is resumed, and one ticket exists.
//   node run.mjs [folder]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const [folder = 'langgraph-ticket-demo'] = process.argv.slice(2)
const ledger = join(folder, 'ledger.db')
const checkpoint = join(folder, 'checkpoint.sqlite')
const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url))
const SERVICE = fileURLToPath(new URL('../ticket-service.mjs', import.meta.url))
const CLI = fileURLToPath(new URL('./bin/agent-ledger.js', import.meta.resolve('agent-ledger/package.json')))

if (existsSync(ledger)) {
  console.error(
    `there is a ledger already: ${ledger}. The story begins with an empty one: name another folder.`,
  )
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const service = spawn(process.execPath, [SERVICE], { stdio: ['pipe', 'pipe', 'inherit'] })
const [url] = await once(createInterface({ input: service.stdout }), 'line')

title('The graph runs. The service opens the ticket, the answer is lost, the process is killed.')
await agent({ AGENT_LEDGER_CRASH_AT: 'answer_lost' })

title('A person looks, who knows nothing of this run.')
await agentLedger('list', '--unknown')
await agentLedger('report')
await agentLedger('checkpoint', checkpoint)

title('Resumed too early: LangGraph runs the node again, the ledger does not send again, the graph pauses.')
await agent()

title('The person looks at the service, finds the ticket, and says so.')
const { items } = await json(`${url}/tickets?queue=operations`)
console.log(items)
const [operation] = JSON.parse(await read('list', '--unknown', '--json')).operations
const [ticket] = items
await agentLedger(
  ...['resolve', '--as', 'confirmed', '--external-id', `ticket=${ticket.id}`, '--evidence', ticket.url],
  ...['--result', JSON.stringify({ id: ticket.id }), '--reason', 'found at the service', '--yes'],
  operation.operation_id,
)

title('The graph is resumed. It takes the result from the ledger and ends.')
await agent()

title('The service counts for itself.')
const effects = await json(`${url}/_effects`)
console.log(`tickets: ${effects.length}`)
service.stdin.end()
process.exitCode = effects.length === 1 ? 0 : 1

function title(text) {
  console.log(`\n# ${text}`)
}

/** Runs the agent as a process of its own, with this added to its environment. */
async function agent(env = {}) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `)
  console.log(`$ ${settings.join('')}node agent.mjs ${folder} ${url}`)
  const child = spawn(process.execPath, [AGENT, folder, url], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const [, signal] = await once(child, 'close')
  if (signal !== null) console.log(`(${signal})`)
}

/** Runs one command of agent-ledger, as a person would type it. */
async function agentLedger(...args) {
  console.log(`$ agent-ledger ${args.map(arg => (/^[\w/.:=@-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`)
  const child = spawn(process.execPath, [CLI, '--ledger', ledger, ...args], { stdio: 'inherit' })
  await once(child, 'close')
}

async function read(...args) {
  const child = spawn(process.execPath, [CLI, '--ledger', ledger, ...args])
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  await once(child, 'close')
  return text
}

async function json(address) {
  return (await fetch(address)).json()
}
