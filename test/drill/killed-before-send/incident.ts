import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'newsletter-48'
const input = { list: 'customers', issue: 48 }
const call = { id: `${TASK}/send`, task: TASK, tool: 'mail.send_bulk', target: 'customers', input }

/** The intent is durable, and the process is gone before it announced a sending. */
export const setUp: SetUp = async stage => {
  stage.at('5h')
  const service = await stage.service()
  stage.tools('  mail.send_bulk:\n    effect: irreversible\n')
  const ledger = await stage.as('agent')
  await ledger.task(TASK, { goal: 'Send issue 48 to all customers', agent: 'news-agent' })
  await ledger.prepare(call)
  return async () => run(await stage.again(), service)
}

function run(ledger: Ledger, service: FakeService) {
  return ledger.run(call, posting(service, 'mailings', input))
}
