import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** The service forgot the key this morning: the same request is a second charge now. */
export const setUp: SetUp = async stage => {
  stage.at('26h')
  const service = await stage.service({
    mode: { kind: 'keyed', retention_ms: 86_400_000 },
    faults: [{ action: 'create', calls: [1], fault: { kind: 'drop_response' } }],
  })
  stage.tools(
    `  charges.create:\n    effect: compensable\n    repeat: { kind: idempotency_key, retention: 24h }\n    retry: { max_attempts: 1 }\n${listProbe(service.url, 'charges')}`,
  )
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'order-2093'
  await ledger.task(task, { goal: 'Charge order 2093', agent: 'shop-agent' })
  const input = { customer: 'C-12', amount: 59 }
  await ledger.run(
    { id: `${task}/charge`, task, tool: 'charges.create', target: 'C-12', input },
    posting(service, 'charges', input),
  )
}
