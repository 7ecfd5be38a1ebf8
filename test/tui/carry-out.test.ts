import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { safe } from '../../src/core/safe-text.js'
import { openLedger, openLedgerForReading } from '../../src/ledger.js'
import { type ActionId, actionOf, formOf } from '../../src/tui/actions.js'
import { carryOut } from '../../src/tui/carry-out.js'
import { foresee } from '../../src/tui/foresee.js'
import type { World } from '../../src/tui/world.js'
import { aLedger } from '../ledger/support/a-ledger.js'

const IDS = ['op-1', 'op-2', 'op-3']
const HOUR = 3_600_000

describe('what is carried out for marked ones', () => {
  it('of which somebody claimed one meanwhile is done for the others, and says whose that one is', async () => {
    const ledger = await threeInDoubt()
    const foreseen = await foreseenFor(worldOf(ledger.path), 'claim')
    await ledger.as('flag:lee').claim('op-2', { until: Date.now() + HOUR })
    const over = await carryOut(worldOf(ledger.path), 'claim', foreseen, () => undefined)
    expect(over).toMatchObject({ isRefused: false, decided: ['op-1', 'op-3'] })
    expect(over.title).toContain('2 of 3 claimed by ana (flag)')
    expect(over.lines.join()).toContain('! not done: op-2 is claimed by lee (flag)')
  })

  it('is refused as one alone would be where none of it came about', async () => {
    const ledger = await threeInDoubt()
    const foreseen = await foreseenFor(worldOf(ledger.path), 'claim')
    for (const id of IDS) await ledger.as('flag:lee').claim(id, { until: Date.now() + HOUR })
    const over = await carryOut(worldOf(ledger.path), 'claim', foreseen, () => undefined)
    expect(over).toMatchObject({ isRefused: true, decided: [] })
    expect(over.title).toContain('somebody was here before')
  })
})

async function threeInDoubt() {
  const ledger = await aLedger(Date.now() - HOUR)
  for (const operation_id of IDS) await ledger.lost({ operation_id, input: operation_id })
  return ledger
}

function foreseenFor(world: World, action: ActionId) {
  return foresee(world, { action, ids: IDS, form: formOf(actionOf(action)) })
}

function worldOf(path: string): World {
  return {
    now: Date.now,
    show: safe,
    mask: value => value,
    style: () => ({
      show: safe,
      bold: text => text,
      dim: text => text,
      exact: at => safe(new Date(at).toISOString()),
      relative: () => safe('soon'),
    }),
    withLedger: async use => {
      const ledger = await openLedger(path, { actor: 'flag:ana', create: false })
      try {
        return await use(ledger)
      } finally {
        await ledger.close()
      }
    },
    withLedgerForReading: async use => {
      const ledger = await openLedgerForReading(path)
      try {
        return await use(ledger)
      } finally {
        await ledger.close()
      }
    },
    evidence: async typed => [typed],
    breathe: () => immediate(),
    untilWritten: async () => undefined,
    planPath: 'plan.jsonl',
  }
}
