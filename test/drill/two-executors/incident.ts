import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

/** The first executor hangs inside the service; its lease lapses, a second one sends under the same key and is cut off. */
export const setUp: SetUp = async stage => {
  stage.at('3h')
  const service = await stage.service({
    mode: { kind: 'keyed', retention_ms: 86_400_000 },
    faults: [
      { action: 'create', calls: [1], fault: { kind: 'delay', stage: 'request' } },
      { action: 'create', calls: [2], fault: { kind: 'drop_response' } },
    ],
  })
  stage.tools(
    `  payouts.create:\n    effect: irreversible\n    repeat: { kind: idempotency_key, retention: 24h }\n    retry: { max_attempts: 2 }\n${listProbe(service.url, 'payouts')}`,
  )
  const first = work(await stage.as('agent-1'), service)
  while (service.calls().length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  stage.at('2h')
  await work(await stage.as('agent-2'), service)
  return async () => {
    service.release()
    await first
    await work(await stage.again(), service)
  }
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  const task = 'payout-run-12'
  await ledger.task(task, { goal: 'Pay out the sellers of week 48', agent: 'payout-agent' })
  const input = { seller: 'S-5', amount: 310 }
  await ledger.run(
    { id: `${task}/S-5`, task, tool: 'payouts.create', target: 'S-5', input },
    posting(service, 'payouts', input),
  )
}
