import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'supplier-invoice-31'
const wire = (id: string, amount: number, to: string) => ({
  id: `${TASK}/${id}`,
  task: TASK,
  tool: 'bank.wire',
  target: to,
  input: { to, amount },
})

/** Lee approved a wire; the agent edited it afterwards, and the edit waits for a leave of its own. */
export const setUp: SetUp = async stage => {
  stage.at('4h')
  const service = await stage.service()
  stage.tools(
    '  bank.wire:\n    effect: irreversible\n    approval: required\n    risk: { amount: amount }\n',
  )
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Pay invoice 31', agent: 'finance-agent' })
  await agent.prepare(wire('wire', 910, 'DE02 1203 0000 0000 2020 51'))
  const lee = await stage.as('git:lee@example.org')
  const { digest } = await lee.approvable(`${TASK}/wire`)
  await lee.approve(`${TASK}/wire`, { digest, reason: 'invoice 31 checked: 910 EUR' })
  stage.at('3h')
  await agent.supersede(`${TASK}/wire`, {
    call: wire('wire-2', 9100, 'LT12 1000 0111 0100 1000'),
    reason: 'the supplier wrote that its account has changed',
  })
  return async () => pay(await stage.again(), service)
}

function pay(ledger: Ledger, service: FakeService) {
  return ledger.dispatch({
    handlers: { 'bank.wire': ({ input }, context) => posting(service, 'wires', Object(input))(context) },
    until: 'idle',
  })
}
