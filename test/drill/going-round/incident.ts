import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'scrape-prices'

/** It lives, it reads the same page with the same answer over and over, and now and then it orders the page anew. */
export const setUp: SetUp = async stage => {
  const service = await stage.service()
  stage.tools('  crawls.order:\n    effect: irreversible\n')
  stage.at('1h')
  const agent = await stage.as('agent')
  const task = await agent.task(TASK, { goal: 'Collect the prices of 40 shops', agent: 'scraper' })
  await order(agent, service, 1)
  for (let minutes = 59; minutes >= 1; minutes -= 2) {
    stage.at(`${minutes}m`)
    await task.activity({ tool: 'http.get', input: { shop: 17 }, result: { prices: [] }, cost: 0.1 })
    await task.heartbeat()
  }
  return async () => order(agent, service, 2).catch(() => undefined)
}

function order(ledger: Ledger, service: FakeService, n: number) {
  const input = { shop: 17, round: n }
  return ledger.run(
    { id: `${TASK}/order-${n}`, task: TASK, tool: 'crawls.order', target: 'shop-17', input },
    posting(service, 'crawls', input),
  )
}
