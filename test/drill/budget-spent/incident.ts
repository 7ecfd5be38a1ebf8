import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'crm-import'
const TOO_MANY = { kind: 'answer', stage: 'request', status: 429, headers: { 'retry-after': '0' } } as const

/** The service refused three times in a row, for the moment; the budget of attempts was three. */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service({ faults: [{ action: 'create', calls: [1, 2, 3], fault: TOO_MANY }] })
  stage.tools('  crm.create:\n    effect: reversible\n    retry: { max_attempts: 3, base: 1ms, cap: 1ms }\n')
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  await ledger.task(TASK, { goal: 'Enter the new customer', agent: 'crm-agent' })
  const input = { name: 'Nadia' }
  await ledger.run(
    { id: `${TASK}/nadia`, task: TASK, tool: 'crm.create', target: 'crm', input },
    posting(service, 'customers', input),
  )
}
