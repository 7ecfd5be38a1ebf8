import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** A proxy delivers the request twice and answers neither. */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service({
    faults: [
      { action: 'create', calls: [1], fault: { kind: 'duplicate' } },
      { action: 'create', calls: [1], fault: { kind: 'drop_response' } },
    ],
  })
  stage.tools(`  orders.place:\n    effect: compensable\n${listProbe(service.url, 'orders')}`)
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'restock'
  await ledger.task(task, { goal: 'Order forty disks', agent: 'purchase-agent' })
  const input = { article: 'disk-8tb', count: 40 }
  await ledger.run(
    { id: `${task}/disks`, task, tool: 'orders.place', target: 'supplier-4', input },
    posting(service, 'orders', input),
  )
}
