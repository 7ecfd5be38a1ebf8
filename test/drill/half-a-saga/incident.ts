import type { Ledger } from '../../../src/ledger.js'
import type { FakeService } from '../../../src/testing/index.js'
import { listProbe, posting } from '../kit/agent.js'
import type { SetUp } from '../kit/incident.js'

const TASK = 'booking-31'

/** The flight is booked; the answer of the hotel was lost, and the hotel has no such booking. The customer cancelled. */
export const setUp: SetUp = async stage => {
  stage.at('3h')
  const service = await stage.service({
    faults: [{ action: 'create', calls: [2], fault: { kind: 'drop_request' } }],
  })
  stage.tools(
    `  flights.book:\n    effect: compensable\n    compensate: { tool: flights.cancel, input: { flight: '{external_id.flight}' } }\n  flights.cancel:\n    effect: irreversible\n  hotels.book:\n    effect: compensable\n${listProbe(service.url, 'hotels')}`,
  )
  const agent = await stage.as('agent')
  await agent.task(TASK, { goal: 'Book flight and hotel for Kim', agent: 'travel-agent' })
  for (const kind of ['flight', 'hotel'] as const) {
    const input = { traveller: 'Kim', kind }
    await agent.run(
      { id: `${TASK}/${kind}`, task: TASK, tool: `${kind}s.book`, target: 'Kim', input },
      posting(service, `${kind}s`, input),
    )
  }
  return async () => undo(await stage.again(), service)
}

function undo(ledger: Ledger, service: FakeService) {
  return ledger.dispatch({
    handlers: {
      'flights.cancel': ({ input }, context) => posting(service, 'cancellations', Object(input))(context),
      'hotels.book': ({ input }, context) => posting(service, 'hotels', Object(input))(context),
    },
    until: 'idle',
  })
}
