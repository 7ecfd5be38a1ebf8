import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ledgerOfDoubts } from '../../bench/ledgers.js'
import { safe } from '../../src/core/safe-text.js'
import { openLedger, openLedgerForReading } from '../../src/ledger.js'
import { FIRST_ASKED } from '../../src/tui/state.js'
import { firstLook } from '../../src/tui/work.js'
import type { World } from '../../src/tui/world.js'

describe('the first look of the screen', () => {
  it('counts a large ledger no further than anybody reads, and never compares all of it for the oldest', async () => {
    const { world, lists } = worldOf(await doubts(10_200))
    const { rows, hasMore, summary } = await firstLook(world, FIRST_ASKED)
    expect(rows).toHaveLength(500)
    expect(hasMore).toBe(true)
    expect(summary.inDoubt).toEqual({ count: 10_000, isLeast: true })
    expect(summary.oldest).toMatch(/^\d+\w\+$/)
    expect(lists.filter(({ sort }) => sort === 'age')).toEqual([])
  })

  it('tells of a small one how many there are, and the oldest of them all', async () => {
    const { world } = worldOf(await doubts(700))
    const { rows, hasMore, summary, ledger } = await firstLook(world, FIRST_ASKED)
    expect(rows).toHaveLength(500)
    expect(hasMore).toBe(true)
    expect(summary.inDoubt).toEqual({ count: 700, isLeast: false })
    expect(summary.oldest).toMatch(/^\d+\w$/)
    expect(ledger).toContain('ledger.db')
  })
})

/** So many in doubt. */
async function doubts(size: number): Promise<string> {
  const path = await ledgerOfDoubts(size)
  onTestFinished(() => rmSync(dirname(dirname(path)), { recursive: true }))
  return path
}

/** The world of one ledger, and what lists were asked of it. */
function worldOf(path: string) {
  const lists: { readonly sort?: string }[] = []
  const world: World = {
    now: Date.now,
    show: safe,
    mask: value => value,
    style: () => {
      throw new Error('a list is written in no style')
    },
    withLedger: async use => use(await openLedger(path)),
    withLedgerForReading: async use => {
      const ledger = await openLedgerForReading(path)
      const list: typeof ledger.list = query => {
        lists.push(query ?? {})
        return ledger.list(query)
      }
      try {
        return await use({ ...ledger, list })
      } finally {
        await ledger.close()
      }
    },
    evidence: async typed => [typed],
    breathe: () => immediate(),
    untilWritten: async () => undefined,
    planPath: 'plan.jsonl',
  }
  return { world, lists }
}
