import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/langgraph/py-tool-node-kill/checkpoints.sqlite')
const TASK = 'order-6'

/**
 * A real thread of LangGraph: the node with both tools was killed after the mail had left, before its checkpoint was
 * written. A resume runs the node from its first line: it charges again, and mails again.
 */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [2], fault: { kind: 'drop_response' } }],
  })
  copyFileSync(FIXTURE, join(stage.folder, 'checkpoints.sqlite'))
  stage.tools(
    `  charge:\n    effect: compensable\n  mail:\n    effect: irreversible\n${listProbe(service.url, 'mails')}`,
  )
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

/** The node, from its first line. */
async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const thread = { source: 'langgraph', uri: 'checkpoints.sqlite', thread_id: 't1' }
  await ledger.task(TASK, { goal: 'Charge order 6 and tell the customer', agent: 'order-agent', thread })
  for (const [tool, collection] of [
    ['charge', 'charges'],
    ['mail', 'mails'],
  ] as const) {
    const input = { order: 6, what: tool }
    await ledger.run(
      { id: `${TASK}/${tool}`, task: TASK, tool, input, checkpoint: { ...thread, node: 'tools' } },
      posting(service, collection, input),
    )
  }
}
