import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'release-3.1'

/** Somebody resolved it as not executed while the request was still on its way; then its receipt came. */
export const setUp: SetUp = async stage => {
  stage.at('4h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [1], fault: { kind: 'delay', stage: 'response' } }],
  })
  stage.tools(`  releases.publish:\n    effect: irreversible\n${listProbe(service.url, 'releases')}`)
  const publishing = work(await stage.as('agent'), service)
  while (service.effects().length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  stage.at('3h')
  const bo = await stage.as('git:bo@example.org')
  await bo.resolve(`${TASK}/publish`, {
    as: 'not_executed',
    early: true,
    evidence: ['the release page is empty'],
    reason: 'nothing there',
  })
  stage.at('2h')
  service.release()
  await publishing
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  await ledger.task(TASK, { goal: 'Publish 3.1', agent: 'release-agent' })
  const input = { tag: 'v3.1.0' }
  await ledger.run(
    { id: `${TASK}/publish`, task: TASK, tool: 'releases.publish', target: 'v3.1.0', input },
    posting(service, 'releases', input),
  )
}
