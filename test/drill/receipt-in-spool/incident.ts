import Database from 'better-sqlite3'
import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'dns-cutover'
const input = { zone: 'example.org', serial: 2026113001 }
const call = { id: `${TASK}/zone`, task: TASK, tool: 'dns.replace_zone', target: 'example.org', input }

/** The answer arrived while the ledger was locked for good; the receipt was kept beside it. */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service()
  stage.tools('  dns.replace_zone:\n    effect: mitigable\n')
  const agent = await stage.as('agent', { waitMs: 200 })
  await agent.task(TASK, { goal: 'Move example.org to the new servers', agent: 'dns-agent' })
  const other = new Database(stage.ledger)
  await agent.run(call, async context => {
    const made = await posting(service, 'zones', input)({ ...context, externalId: async () => {} })
    other.exec('begin immediate')
    return made
  })
  other.exec('rollback')
  other.close()
  return async () => run(await stage.again(), service)
}

function run(ledger: Ledger, service: FakeService) {
  return ledger.run(call, posting(service, 'zones', input))
}
