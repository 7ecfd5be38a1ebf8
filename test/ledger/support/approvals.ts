import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../../src/index.js'
import { aDirectory } from '../../store/support/places.js'
import type { TestLedger } from './a-ledger.js'

export const NEEDED = { contract: { approval: 'required' } } as const

export async function approved(ledger: TestLedger, over: { uses?: number; expiresAt?: number } = {}) {
  const { digest } = await ledger.as('flag:lee').approvable('ticket-1')
  return ledger.as('flag:lee').approve('ticket-1', { digest, reason: 'reviewed', ...over })
}

export async function aRunningLedger(actor = 'agent'): Promise<Ledger> {
  const ledger = await openLedger(join(aDirectory(), 'ledger.db'), { actor })
  onTestFinished(() => ledger.close())
  return ledger
}
