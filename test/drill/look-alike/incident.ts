import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'refund-88'

/** The request never arrived. A refund of the same amount on the same day is there: another customer's. */
export const setUp: SetUp = async stage => {
  stage.at('5h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [2], fault: { kind: 'drop_request' } }],
  })
  stage.tools(`  refunds.create:
    effect: irreversible
    look_here: { check: "curl -s '${service.url}/refunds?amount=59'" }
    probe:
      kind: http
      grade: D
      url: ${service.url}/refunds?amount={input.amount}
      items: items
      match: { attributes: { body.amount: '{input.amount}' } }
      id: { kind: refund, value: id, url: url }
`)
  const body = JSON.stringify({ amount: 59, order: 'order-2087', customer: 'C-3' })
  await fetch(`${service.url}/refunds`, { method: 'POST', body })
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  await ledger.task(TASK, { goal: 'Refund order 2093 of customer C-12', agent: 'shop-agent' })
  const input = { amount: 59, order: 'order-2093', customer: 'C-12' }
  await ledger.run(
    { id: `${TASK}/refund`, task: TASK, tool: 'refunds.create', target: 'order-2093', input },
    posting(service, 'refunds', input),
  )
}
