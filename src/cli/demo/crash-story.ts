import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import { safe, words } from '../../core/safe-text.js'
import { shellWord } from '../../core/shell-word.js'
import type { Deps } from '../deps.js'
import { PACKAGE_ROOT } from './package-root.js'
import { type Service, startService } from './processes.js'
import { countsOf, onlyOperation, placeToLook, ticketsAt } from './questions.js'
import { createStage, type Stage, wentWrong } from './stage.js'

const AGENT = join(PACKAGE_ROOT, 'examples', 'crash', 'agent.mjs')
const SERVICE = join(PACKAGE_ROOT, 'examples', 'ticket-service.mjs')

/**
 * Shows by doing it what a person meets when an agent dies right after its outside write: real processes, a real
 * SIGKILL, and every command run as it is printed. Leaves `<folder>/ledger.db`.
 */
export async function tellCrashStory(folder: string, deps: Deps): Promise<void> {
  const ledger = join(folder, 'ledger.db')
  if (existsSync(join(deps.io.cwd, ledger))) {
    throw new LedgerError('invalid_input', `there is a ledger already: ${ledger}`, {
      path: ledger,
      hint: 'The story begins with an empty one: name another folder.',
    })
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const surroundings = { env: { ...deps.io.env, AGENT_LEDGER: ledger }, signal: deps.signal }
  const service = await startService(SERVICE, surroundings)
  try {
    await tell({ ledger, service, deps }, createStage(deps, surroundings))
  } finally {
    service.end()
  }
}

interface Story {
  readonly ledger: string
  readonly service: Service
  readonly deps: Deps
}

async function tell(story: Story, stage: Stage): Promise<void> {
  await killAgent(story, stage)
  const operation = await lookAt(story, stage)
  await stage.chapter(words`The agent is started again. It does not send a second time.`)
  await stage.script(AGENT, [story.ledger, story.service.url])
  await settle(operation, stage, story)
  await stage.chapter(words`The agent is started once more. It takes the result from the ledger and goes on.`)
  await stage.script(AGENT, [story.ledger, story.service.url])
  await compare(story, stage)
}

async function killAgent({ ledger, service }: Story, stage: Stage): Promise<void> {
  await stage.chapter(
    words`An agent opens a ticket. The service opens it, the answer is lost, the agent is killed.`,
  )
  const ended = await stage.script(AGENT, [ledger, service.url], { AGENT_LEDGER_CRASH_AT: 'answer_lost' })
  if (ended !== 'SIGKILL') throw wentWrong(`the agent was to be killed and ended with ${ended}`)
  await stage.say(words`(${safe(ended)}: the process is gone and could not write down how the call ended)`)
}

/** What a person does first; resolves to the operation in doubt. */
async function lookAt({ ledger }: Story, stage: Stage): Promise<string> {
  await stage.chapter(words`A person looks, who knows nothing of this run.`)
  await stage.show(`export AGENT_LEDGER=${shellWord(ledger)}`)
  await stage.command('list', ['--unknown'])
  await stage.command('report', [])
  const id = onlyOperation(await stage.read('list', ['--unknown', '--json']))
  await stage.head(12, 'show', [], id)
  return id
}

async function settle(operation: string, stage: Stage, { deps }: Story): Promise<void> {
  await stage.chapter(words`The person looks where the ledger says, and finds the ticket.`)
  const place = placeToLook(await stage.read('show', ['--json'], operation))
  await stage.show(`curl ${shellWord(place)}`)
  const { body, tickets } = await ticketsAt(place)
  await stage.say(deps.show(body.trim()))
  const [ticket] = tickets
  if (ticket === undefined || tickets.length > 1)
    throw wentWrong(`${tickets.length} tickets were found, not one`)

  await stage.chapter(words`So it did happen. The person says so, with what it rests on.`)
  const evidence = ['--external-id', `ticket=${ticket.id}`, '--evidence', ticket.url]
  const result = [
    '--result',
    JSON.stringify({ id: ticket.id }),
    '--reason',
    'found at the service by its title',
  ]
  await stage.command('resolve', ['--as', 'confirmed', ...evidence, ...result, '--yes'], operation)
}

async function compare({ service, ledger }: Story, stage: Stage): Promise<void> {
  await stage.chapter(words`The service counts for itself.`)
  const { tickets, requests } = await countsOf(service.url)
  await stage.say(words`tickets: ${tickets}   requests to open one: ${requests}`)
  if (tickets !== 1 || requests !== 1) throw wentWrong('one ticket and one request were expected')
  await stage.say(words`The ledger stays at ${safe(ledger)}: \`agent-ledger log\` shows its whole history.`)
}
