import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** The connection is cut before the service reads the request. From outside that looks like a lost answer. */
export const setUp: SetUp = async stage => {
  stage.at('3h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [1], fault: { kind: 'drop_request' } }],
  })
  stage.tools(`  invoices.issue:\n    effect: irreversible\n${listProbe(service.url, 'invoices')}`)
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'month-end'
  await ledger.task(task, { goal: 'Issue the invoice of November', agent: 'billing-agent' })
  const input = { customer: 'C-77', amount: 1240 }
  await ledger.run(
    { id: `${task}/invoice`, task, tool: 'invoices.issue', target: 'C-77', input },
    posting(service, 'invoices', input),
  )
}
