import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { upward } from '../../config/upward.js'
import { INIT_FIELDS } from '../../core/documents/init.js'
import { join as joined, safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { namedByPerson, USUAL_PLACE } from '../find-ledger.js'
import { printDocument } from '../output/document.js'
import { flag, partitions } from '../parameters.js'

export const init = command({
  name: 'init',
  chapter: 'Keep',
  summary: 'make an empty ledger',
  details: [
    'Where --ledger, AGENT_LEDGER or the configuration says, else in .agent-ledger/ledger.db of this folder. Only you can read it (0600). A ledger that is there already is left as it is.',
    'In PostgreSQL it is the schema that ?schema= names, else agent_ledger. --roles lets agent_ledger_reader, agent_ledger_writer and agent_ledger_operator use it, and makes these roles where they are missing; on a ledger that is there too.',
    '--partitions splits the tables that grow with each operation by the hash of its id, for tens of millions of operations; see docs/scale.md. A ledger that is there is split by `agent-ledger migrate --partitions`.',
  ],
  args: {},
  options: {
    roles: flag('PostgreSQL: roles for looking, for agents and for people who decide'),
    partitions,
  },
  examples: [
    { line: 'agent-ledger init', does: 'make .agent-ledger/ledger.db here' },
    { line: 'agent-ledger init --ledger /var/lib/agents/ledger.db', does: 'make it there' },
    {
      line: "agent-ledger init --roles --ledger 'postgresql://ana@db/ops?schema=agents'",
      does: 'make it in PostgreSQL, with roles',
    },
  ],
  documents: ['init@1'],
  fields: INIT_FIELDS,
  writes: true,
})

export async function run({ roles, partitions: split }: Given<typeof init>, deps: Deps): Promise<number> {
  const { makeLedger, makeRoles, openLedgerForReading } = await import('../../ledger.js')
  const { io, global } = deps
  const named = await namedByPerson({
    ledger: global.ledger,
    config: global.config,
    env: io.env,
    cwd: io.cwd,
  })
  const location = named?.location ?? join(resolve(io.cwd), USUAL_PLACE)
  const created = await makeLedger(location, split === undefined ? {} : { partitions: split })
  const given = roles ? await makeRoles(location) : []
  // What was there already has to be a ledger: anything else is refused by the opening.
  const ledger = await openLedgerForReading(location, { waitMs: deps.waitMs })
  const { ledgerId } = ledger
  await ledger.close()
  await printDocument(
    {
      schema: 'init@1',
      ledger: ledger.location,
      body: { created, ledger_id: ledgerId, roles: given.map(({ role, made }) => ({ role, made })) },
      fields: INIT_FIELDS,
      text: () => {
        const path = deps.show(ledger.location)
        const what = created ? words`made ${path}` : words`${path} was there already; ${left(roles)}`
        return joined([what, ...given.map(({ role, made }) => mayUseIt(role, made))], '\n')
      },
    },
    deps,
  )
  const hidden = named === undefined && created ? ledgerAbove(io.cwd) : undefined
  if (hidden !== undefined)
    await deps.say(
      words`note: from this folder the ledger ${deps.show(hidden)} is no longer found without --ledger`,
    )
  await deps.say(nextSteps(named === undefined, deps))
  return 0
}

function left(roles: boolean) {
  return roles ? words`its rows were left as they are` : words`it was left as it is`
}

function mayUseIt(role: string, made: boolean) {
  return made ? words`${safe(role)} was made, and may use it` : words`${safe(role)} was there, and may use it`
}

function ledgerAbove(cwd: string): string | undefined {
  const [, ...above] = upward(dirname(join(resolve(cwd), 'x')))
  return above.map(folder => join(folder, USUAL_PLACE)).find(path => existsSync(path))
}

function nextSteps(isUsualPlace: boolean, { show }: Deps) {
  const commit = isUsualPlace
    ? [words`  keep .agent-ledger/ out of version control: it holds what agents sent`]
    : []
  return joined(
    [
      words`next:`,
      words`  write a costly call down before it is sent: the library (openLedger),
    agent-ledger exec before a command line, or agent-ledger record from any language`,
      words`  ${show('agent-ledger demo')}  a sample ledger to try every command on`,
      words`  ${show('agent-ledger')}       what is open in this one`,
      ...commit,
    ],
    '\n',
  )
}
