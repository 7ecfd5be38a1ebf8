import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { safe } from '../../src/core/safe-text.js'
import { openLedger, openLedgerForReading } from '../../src/ledger.js'
import { type ActionId, actionOf, formOf, withText } from '../../src/tui/actions.js'
import { carryOut } from '../../src/tui/carry-out.js'
import { foresee } from '../../src/tui/foresee.js'
import { runPlain } from '../../src/tui/plain.js'
import { fieldOf } from '../../src/tui/text-field.js'
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

describe('what would become of marked ones', () => {
  it('tells of each what would be sent again', async () => {
    const ledger = await aLedger(Date.now() - HOUR)
    for (const operation_id of IDS) await ledger.rejected({ operation_id, input: { page: operation_id } })
    const { lines, items } = await foreseenFor(worldOf(ledger.path), 'allow_retry', 'the quota was raised')
    expect(items.map(({ refusal }) => refusal)).toEqual([null, null, null])
    for (const id of IDS)
      expect(lines).toContainEqual(
        expect.stringMatching(`^${id} is sent again: tickets.create.*"page":"${id}"`),
      )
  })

  it('names how many an asking is for beside the one of its command line', async () => {
    const bodies = IDS.map(operation_id => ({
      operation_id,
      outcome: 'planned',
      requests: ['GET https://x/'],
    }))
    const { command } = await foreseenFor(worldThatAnswers(bodies), 'reconcile')
    expect(command).toBe('agent-ledger reconcile op-1 (and for 2 more)')
  })
})

describe('an asking', () => {
  it('says of what stays open, in words, why and when a look may say more', async () => {
    const next_look_at = '2026-03-10T12:00:00.000Z'
    const world = worldThatAnswers([
      { operation_id: 'op-1', outcome: 'in_doubt', reason: 'too early', next_look_at },
      { operation_id: 'op-2', outcome: 'probe_failed', reason: 'it could not be asked', next_look_at: null },
      { operation_id: 'op-3', outcome: 'confirmed', reason: 'ticket T-1 was found', next_look_at: null },
    ])
    const told: string[] = []
    const subjects = IDS.map(id => ({ id }))
    const carried = { wish: { kind: 'reconcile' }, subjects }
    const over = await carryOut(world, 'reconcile', { carried } as never, line => void told.push(line))
    expect(over.title).toBe('1 of 3 settled by what the outside systems say')
    expect(over.lines).toEqual([
      `op-1: still in doubt: too early; next useful look: ${next_look_at}`,
      'op-2: still in doubt: it could not be asked',
      'op-3: confirmed: ticket T-1 was found',
    ])
    expect(told).toEqual(over.lines)
  })
})

describe('line by line', () => {
  it('an answer is said once, and nothing is written without a yes', async () => {
    const ledger = await aLedger(Date.now() - HOUR)
    await ledger.lost({ operation_id: 'op-1' })
    const world = { ...worldOf(ledger.path), withLedger: worldThatAnswers([ANSWER]).withLedger }
    const heard: string[] = []
    const answers = ['1', '1', 'no', '1', 'y', 'b', 'q']
    const code = await runPlain({
      world,
      isReadOnly: false,
      ask: async () => answers.shift(),
      say: async lines => heard.push(lines) > 0,
    })
    expect(code).toBe(0)
    expect(heard.join('\n').match(/nothing was written/g)).toHaveLength(1)
    expect(heard.join('\n').match(/op-1: still in doubt: too early/g)).toHaveLength(1)
  })
})

/** What is told of one operation that would be, and is, asked about. */
const ANSWER = { operation_id: 'op-1', outcome: 'in_doubt', reason: 'too early', next_look_at: null }

/** The outside systems say this, one after the other. */
function worldThatAnswers(bodies: readonly object[]): World {
  const reconcile = async function* (_: unknown, { dryRun = false } = {}) {
    const asked = dryRun ? { outcome: 'planned' } : {}
    yield* bodies.map(body => ({
      task_id: 'task-1',
      version: 1,
      status: 'unknown',
      reason: '',
      requests: [],
      ...body,
      ...asked,
    }))
  }
  return { ...worldOf('none'), withLedger: async use => use({ reconcile } as never) }
}

async function threeInDoubt() {
  const ledger = await aLedger(Date.now() - HOUR)
  for (const operation_id of IDS) await ledger.lost({ operation_id, input: operation_id })
  return ledger
}

function foreseenFor(world: World, action: ActionId, reason = '') {
  const form = formOf(actionOf(action))
  return foresee(world, {
    action,
    ids: IDS,
    form: reason === '' ? form : withText(form, 'reason', fieldOf(reason)),
  })
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
