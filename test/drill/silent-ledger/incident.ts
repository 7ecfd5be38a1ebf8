import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'migrate-tenants'

/** The machine of the only writer froze in the middle of a call. It thaws when it likes, and goes on where it was. */
export const setUp: SetUp = async stage => {
  stage.at('90m')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [2], fault: { kind: 'delay', stage: 'response' } }],
  })
  stage.tools(`  tenants.move:\n    effect: mitigable\n${listProbe(service.url, 'moves')}`)
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Move three tenants to the new cluster', agent: 'migration-agent' })
  const frozen = work(agent, service)
  while (service.effects().length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  return async () => {
    service.release()
    await frozen
  }
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  for (const tenant of ['acme', 'blue', 'corp']) {
    const input = { tenant }
    const outcome = await ledger.run(
      { id: `${TASK}/${tenant}`, task: TASK, tool: 'tenants.move', target: tenant, input },
      posting(service, 'moves', input),
    )
    if (outcome.status !== 'confirmed') return
  }
}
