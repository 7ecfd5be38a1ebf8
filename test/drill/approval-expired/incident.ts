import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'contract-17'

/** Leave was given for an hour; the agent was down for that hour. */
export const setUp: SetUp = async stage => {
  stage.at('5h')
  const service = await stage.service()
  stage.tools('  mail.send:\n    effect: irreversible\n    approval: required\n')
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Send the contract once legal has read it', agent: 'contract-agent' })
  const input = { to: 'legal@customer.example', file: 'contract-17.pdf' }
  await agent.prepare({ id: `${TASK}/send`, task: TASK, tool: 'mail.send', target: input.to, input })
  const lee = await stage.as('git:lee@example.org')
  const { digest } = await lee.approvable(`${TASK}/send`)
  const expiresAt = Date.now() - 4 * 3_600_000
  await lee.approve(`${TASK}/send`, { digest, expiresAt, reason: 'legal read version 3' })
  return async () => send(await stage.again(), service)
}

function send(ledger: Ledger, service: FakeService) {
  return ledger.dispatch({
    handlers: { 'mail.send': ({ input }, context) => posting(service, 'mails', Object(input))(context) },
    until: 'idle',
  })
}
