import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** The ticket is opened, its answer is lost, and the mail that names the ticket is never reached. */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [1], fault: { kind: 'drop_response' } }],
  })
  stage.tools(`  tickets.open:\n    effect: compensable\n${listProbe(service.url, 'tickets')}`)
  await work(await stage.as('agent'), service)
  return async () => work(await stage.again(), service)
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'alert-4711'
  await ledger.task(task, { goal: 'Disk full on db-2: open a ticket and tell the team', agent: 'ops-agent' })
  const input = { title: 'Disk full on db-2', queue: 'OPS' }
  const ticket = await ledger.run(
    { id: `${task}/ticket`, task, tool: 'tickets.open', target: 'OPS', input },
    posting(service, 'tickets', input),
  )
  if (ticket.status !== 'confirmed') return
  const mail = { to: 'team@example.org', about: 'Disk full on db-2' }
  await ledger.run(
    { id: `${task}/mail`, task, tool: 'mail.send', input: mail },
    posting(service, 'mails', mail),
  )
}
