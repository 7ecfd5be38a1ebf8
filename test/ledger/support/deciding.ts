import type { ResolveOptions } from '../../../src/ledger/decisions.js'
import type { LoggedEvent } from '../../../src/store/store.js'
import type { TestLedger } from './a-ledger.js'

export const seen: ResolveOptions = { as: 'confirmed', evidence: ['https://tickets/T-1'], reason: 'I see it' }

export const absent: ResolveOptions = {
  as: 'not_executed',
  evidence: ['searched by title'],
  reason: 'not there',
}

export const HOUR = 3_600_000

export async function ledgerEvents({ store }: TestLedger): Promise<LoggedEvent[]> {
  const events = await store.events({ limit: 1000 })
  return events.filter(({ subject, type }) => subject === 'ledger' && type !== 'created')
}
