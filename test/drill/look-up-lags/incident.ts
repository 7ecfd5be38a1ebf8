import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** The page went out and its answer was lost; the list of pages shows nothing younger than an hour. */
export const setUp: SetUp = async stage => {
  stage.at('20m')
  const service = await stage.service({
    faults: [
      { action: 'create', calls: [1], fault: { kind: 'drop_response' } },
      { action: 'list', fault: { kind: 'lag', ms: 3_600_000 } },
    ],
  })
  stage.tools(
    `  pager.page:\n    effect: irreversible\n    settle: 1h\n${listProbe(service.url, 'pages', 'settle: 1h')}`,
  )
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'incident-90'
  await ledger.task(task, { goal: 'Wake whoever is on call for storage', agent: 'ops-agent' })
  const input = { team: 'storage', message: 'db-3 is read-only' }
  await ledger.run(
    { id: `${task}/page`, task, tool: 'pager.page', target: 'storage', input },
    posting(service, 'pages', input),
  )
}
