import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.js'
import type { Operation } from '../../src/core/operation.js'
import { firstLedger, moved } from './ledger-graph.js'
import { LEDGER_MOVES, moveIndex } from './ledger-moves.js'
import { keyOf, type LedgerState, normalForm } from './ledger-state.js'
import { SERVICE_KINDS, type Setup } from './setup.js'

const SEND = moveIndex('send')

const setups = fc.record({
  service: fc.constantFrom(...SERVICE_KINDS),
  lagging: fc.boolean(),
  approval: fc.boolean(),
})

describe('the normal form', () => {
  it('changes no decision: a ledger and its normal form go on alike, whatever is asked of them', () => {
    fc.assert(
      fc.property(setups, fc.array(fc.nat(), { minLength: 1, maxLength: 25 }), (over, picks) => {
        const setup = aSetup(over)
        let raw = firstLedger(setup)
        for (const pick of picks) {
          expect(movesFrom(raw, setup)).toEqual(movesFrom(normalForm(raw), setup))
          raw = next(raw, pick, setup)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is its own normal form', () => {
    const setup = aSetup({})
    for (const [, ledger] of following(firstLedger(setup), setup))
      expect(keyOf(normalForm(normalForm(ledger)))).toBe(keyOf(normalForm(ledger)))
  })
})

function aSetup(over: Partial<Setup>): Setup {
  return {
    service: 'keyed',
    lagging: false,
    attempts: 3,
    budget: 2,
    claims: 'any',
    accepts: true,
    approval: false,
    people: true,
    ...over,
  }
}

/** Where every move leads, as keys; `refused` where it leads nowhere. */
function movesFrom(ledger: LedgerState, setup: Setup): string[] {
  return LEDGER_MOVES.map((move, i) => {
    const made = moved(ledger, i, setup)
    return `${move.says}: ${made === null ? 'refused' : keyOf(normalForm(made.ledger, made.elapsed))}`
  })
}

/** One of the moves that change something; time is shifted whole, with nothing cut. */
function next(ledger: LedgerState, pick: number, setup: Setup): LedgerState {
  const ways = following(ledger, setup)
  return ways[pick % ways.length]?.[1] ?? ledger
}

function following(ledger: LedgerState, setup: Setup): [move: number, ledger: LedgerState][] {
  const here = keyOf(normalForm(ledger))
  return LEDGER_MOVES.flatMap((_, i): [number, LedgerState][] => {
    const made =
      ledger.state.operation.attempt >= setup.attempts && i === SEND ? null : moved(ledger, i, setup)
    if (made === null) return []
    const after = made.elapsed === undefined ? made.ledger : shifted(made.ledger, made.elapsed)
    return keyOf(normalForm(after)) === here ? [] : [[i, after]]
  })
}

function shifted(ledger: LedgerState, elapsed: number): LedgerState {
  const { operation, attempts } = ledger.state
  return {
    ...ledger,
    state: { operation: earlier(operation, elapsed), attempts: attempts.map(one => earlier(one, elapsed)) },
  }
}

/** Every time of a row, both clocks, the given while ago. */
function earlier<T extends Operation | Attempt>(row: T, elapsed: number): T {
  const times = Object.entries(row).filter(([name]) => /_(?:at|by|arrival|boot_ms)$/.test(name))
  const moved = times.map(([name, at]) => [name, typeof at === 'number' ? at - elapsed : at])
  return { ...row, ...Object.fromEntries(moved) }
}
