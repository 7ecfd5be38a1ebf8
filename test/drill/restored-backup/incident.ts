import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'payroll-11'
const salary = (who: string) => ({
  id: `${TASK}/${who}`,
  task: TASK,
  tool: 'bank.pay',
  target: who,
  input: { who, amount: 3100 },
})

/** The backup is older than the payment: to the restored ledger it looks as if nothing of it had been sent. */
export const setUp: SetUp = async stage => {
  stage.at('6h')
  const service = await stage.service()
  stage.tools(
    `  bank.pay:\n    effect: irreversible\n    look_here: { check: "curl -s '${service.url}/payments?who={target}'" }\n`,
  )
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Pay the salaries of November', agent: 'payroll-agent' })
  await agent.prepare(salary('kim'))
  await execa('agent-ledger', ['backup', '--output', 'backup.db'], { cwd: stage.folder, env: stage.env })
  stage.at('4h')
  await pay(agent, service)
  await agent.close()
  // The machine is lost, and its ledger with it.
  for (const end of ['', '-wal', '-shm']) rmSync(`${stage.ledger}${end}`, { force: true })
  copyFileSync(join(stage.folder, 'backup.db'), `${stage.ledger}.new`)
  renameSync(`${stage.ledger}.new`, stage.ledger)
  stage.at('1h')
  await pay(await stage.as('agent'), service)
  return async () => pay(await stage.again(), service)
}

function pay(ledger: Ledger, service: FakeService) {
  const { input, ...call } = salary('kim')
  return ledger.run({ ...call, input }, posting(service, 'payments', input))
}
