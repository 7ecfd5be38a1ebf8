import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'wiki-cleanup'

/** Lee held the task three days ago and forgot it. What the agent was to do is still wanted. */
export const setUp: SetUp = async stage => {
  stage.at('3d')
  const service = await stage.service()
  stage.tools('  wiki.rename:\n    effect: reversible\n    repeat: { kind: idempotent }\n')
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Rename the pages that are listed', agent: 'wiki-agent' })
  await rename(agent, service, 'one')
  const lee = await stage.as('git:lee@example.org')
  await lee.takeover(TASK, 'I read the list first')
  await lee.note(TASK, 'the list is right; go on', {})
  return async () => {
    const again = await stage.again()
    await again.task(TASK).catch(() => undefined)
    await rename(again, service, 'two').catch(() => undefined)
  }
}

function rename(ledger: Ledger, service: FakeService, page: string) {
  const input = { page }
  return ledger.run(
    { id: `${TASK}/${page}`, task: TASK, tool: 'wiki.rename', target: page, input },
    posting(service, 'renames', input),
  )
}
