import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'vat-return'
const DOWN = { kind: 'answer', stage: 'request', status: 503 } as const

/** It was filed, its answer was a 503, and the service has been answering 503 to everything since. */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [1], fault: { ...DOWN, stage: 'response' } }],
  })
  stage.tools(`  returns.file:\n    effect: irreversible\n${listProbe(service.url, 'returns')}`)
  await work(await stage.as('agent'), service)
  service.setFaults([{ action: 'list', fault: DOWN }])
  return async () => {
    service.setFaults([])
    await work(await stage.again(), service)
  }
}

async function work(ledger: Ledger, service: FakeService): Promise<void> {
  await ledger.task(TASK, { goal: 'File the VAT return of October', agent: 'tax-agent' })
  const input = { period: '2026-10' }
  await ledger.run(
    { id: `${TASK}/file`, task: TASK, tool: 'returns.file', target: '2026-10', input },
    posting(service, 'returns', input),
  )
}
