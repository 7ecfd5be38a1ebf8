import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import { type Safe, safe, words } from '../../core/safe-text.js'
import { shellWord } from '../../core/shell.js'
import type { Deps } from '../deps.js'
import { PACKAGE_ROOT } from './package-root.js'
import { type Ending, readScript, runScript, type Service, startService } from './processes.js'
import { doubtedOperation, requestsOf, ticketsOf, ticketsTitled } from './questions.js'

const CLI = join(PACKAGE_ROOT, 'bin', 'agent-ledger.js')
const AGENT = join(PACKAGE_ROOT, 'examples', 'crash', 'agent.mjs')
const SERVICE = join(PACKAGE_ROOT, 'examples', 'ticket-service.mjs')

/**
 * Shows by doing it what a person meets when an agent dies right after its outside write: real processes, a real
 * SIGKILL, and every command run as printed. Leaves `<folder>/ledger.db`.
 */
export async function tellCrashStory(folder: string, deps: Deps): Promise<void> {
  const ledger = join(folder, 'ledger.db')
  if (existsSync(ledger)) {
    throw new LedgerError('invalid_input', `there is a ledger already: ${ledger}`, {
      path: ledger,
      hint: 'The story begins with an empty one: name another folder.',
    })
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const surroundings = { env: { ...deps.io.env, AGENT_LEDGER: ledger }, signal: deps.signal }
  const service = await startService(SERVICE, surroundings)
  try {
    await tell({ ledger, service, deps, env: surroundings.env })
  } finally {
    service.end()
  }
}

interface Story {
  readonly ledger: string
  readonly service: Service
  readonly deps: Deps
  readonly env: Readonly<Record<string, string | undefined>>
}

async function tell(story: Story): Promise<void> {
  const { service, ledger, deps } = story
  const crash = { AGENT_LEDGER_CRASH_AT: 'answer_lost' }

  await chapter(story, 'An agent opens a ticket. The service opens it, the answer is lost, the agent is killed.')
  const killed = await agent(story, crash)
  if (killed !== 'SIGKILL') throw wentWrong(`the agent was to be killed and ended with ${killed}`)
  await deps.print(words`The process is gone (${safe(killed)}). Nobody told the ledger how the call ended.`)

  await chapter(story, 'What a person sees who knows nothing of this run')
  await deps.print(prompt(['export', `AGENT_LEDGER=${ledger}`]))
  await command(story, ['list', '--unknown'])
  await command(story, ['report'])
  const operation = doubtedOperation(await readScript([CLI, 'list', '--unknown', '--json'], deps2(story)))
  await command(story, ['show', operation.id])

  await chapter(story, 'The agent is started again: it does not send a second time')
  await agent(story)

  await chapter(story, 'The person looks at the service: was the ticket opened?')
  const looked = await ticketsTitled(service.url, operation.title)
  await deps.print(prompt(['curl', looked.url]))
  await deps.print(deps.show(JSON.stringify(looked.tickets, null, 2), { multiline: true }))
  const [ticket] = looked.tickets
  if (ticket === undefined || looked.tickets.length > 1) {
    throw wentWrong(`one ticket was expected at the service and ${looked.tickets.length} were found`)
  }

  await chapter(story, 'It was. The person says so, and what it rests on')
  await command(story, [
    ...['resolve', operation.id, '--as', 'confirmed', '--external-id', `ticket=${ticket.id}`],
    ...['--evidence', ticket.url, '--reason', 'found at the service by its title'],
    ...['--result', JSON.stringify({ id: ticket.id }), '--yes'],
  ])

  await chapter(story, 'The agent is started once more: it gets the result and goes on')
  await agent(story)

  const [tickets, requests] = [await ticketsOf(service.url), await requestsOf(service.url)]
  await chapter(story, 'What the service itself counts')
  await deps.print(words`tickets: ${tickets}, requests to open one: ${requests}`)
  if (tickets !== 1 || requests !== 1) throw wentWrong('one ticket and one request were expected')
  await deps.print(words`The ledger stays: try ${prompt(['agent-ledger', 'log'])}`)
}
