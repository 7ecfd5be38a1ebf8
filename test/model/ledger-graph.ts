import { decide } from '../../src/core/transitions/decide.js'
import { evolve } from '../../src/core/transitions/evolve.js'
import type { Context, Request, State } from '../../src/core/transitions/requests.js'
import { aContext, asked as asking } from '../core/builders.js'
import { BrokenLaw, broken } from './laws.js'
import { contextOf } from './ledger-context.js'
import { checkChange, checkLedger } from './ledger-laws.js'
import { LEDGER_MOVES } from './ledger-moves.js'
import { keyOf, type LedgerState, type Memory, normalForm } from './ledger-state.js'
import { contractOf, repeatOf, type Setup, stampAtNow } from './setup.js'

/** Every ledger reached, numbered; what each move makes of it is asked of the real core once and remembered. */
export interface LedgerGraph {
  readonly first: number
  readonly count: () => number
  readonly ledger: (node: number) => LedgerState
  /** the node after a move; REFUSED when the core refuses it or it makes no sense there */
  readonly after: (node: number, move: number) => number
}

export const REFUSED = -1
const NOT_ASKED = -2

export function ledgerGraph(setup: Setup): LedgerGraph {
  const ledgers: LedgerState[] = []
  const numbers = new Map<string, number>()
  const width = LEDGER_MOVES.length
  let asked = new Int32Array(1 << 16).fill(NOT_ASKED)

  function numberOf(ledger: LedgerState): number {
    const key = keyOf(ledger)
    const known = numbers.get(key)
    if (known !== undefined) return known
    checkLedger(ledger)
    const number = ledgers.push(ledger) - 1
    numbers.set(key, number)
    if (ledgers.length * width > asked.length) {
      const larger = new Int32Array(asked.length * 2).fill(NOT_ASKED)
      larger.set(asked)
      asked = larger
    }
    return number
  }

  function ledger(node: number): LedgerState {
    const found = ledgers[node]
    if (found === undefined) throw new Error(`no ledger ${node}`)
    return found
  }

  return {
    first: numberOf(firstLedger(setup)),
    count: () => ledgers.length,
    ledger,
    after(node, move) {
      const at = node * width + move
      const known = asked[at] ?? NOT_ASKED
      if (known !== NOT_ASKED) return known
      try {
        const made = moved(ledger(node), move, setup)
        const number = made === null ? REFUSED : numberOf(normalForm(made.ledger, made.elapsed))
        asked[at] = number
        return number
      } catch (error) {
        if (error instanceof BrokenLaw) throw new BrokenLaw(error.law, error.detail, move)
        throw error
      }
    },
  }
}

export function firstLedger(setup: Setup): LedgerState {
  const prepare = asking.prepare({
    repeat: repeatOf(setup),
    contract: contractOf(setup),
    max_attempts: setup.budget,
    target: 'tickets.example',
  })
  const memory: Memory = { isDuplicateAccepted: false, isCancelled: false, isDenied: false }
  const decided = decide(null, prepare, aContext({ now: stampAtNow }))
  if (!decided.ok) throw new Error(decided.refusal.reason)
  const { body, large } = decided.event
  const state = evolve(null, { operation_id: 'ticket-1', at: stampAtNow.at, body, large })
  return normalForm({ state, isHeld: false, hasIds: false, approval: null, isPolicyChanged: false, memory })
}

/** The ledger after a move and the time that passed with it, not yet in normal form. Asks the real core. */
export function moved(
  before: LedgerState,
  move: number,
  setup: Setup,
): { readonly ledger: LedgerState; readonly elapsed?: number } | null {
  const made = LEDGER_MOVES[move]?.make(before, setup) ?? null
  if (made === null || 'ledger' in made) return made
  let after = before
  for (const request of made.requests) {
    const next = changed(after, request, contextOf(after, made.over))
    if (next === null && made.must) broken('late results are never dropped', `${request.type} was refused`)
    if (next === null) return null
    after = next
  }
  return { ledger: after }
}

/** One request asked of the core; null when it refuses. */
function changed(before: LedgerState, request: Request, context: Context): LedgerState | null {
  const decided = decide(before.state, request, context)
  if (!decided.ok) return null
  const { body, large } = decided.event
  const state = evolve(before.state, {
    operation_id: before.state.operation.operation_id,
    at: stampAtNow.at,
    body,
    large,
  })
  const isConsumed = before.approval !== null && body.set?.approval_id === before.approval.approval_id
  const after: LedgerState = {
    ...before,
    state,
    hasIds: before.hasIds || (body.external_ids ?? []).length > 0,
    isHeld: before.isHeld || request.type === 'takeover',
    approval:
      isConsumed && before.approval !== null
        ? { ...before.approval, used: before.approval.used + 1 }
        : before.approval,
    memory: remembered(before, request, state),
  }
  checkChange({ before, after, request, context, event: decided.event })
  return after
}

/** What people decided, kept without looking at the row. */
function remembered({ memory, state: { operation } }: LedgerState, request: Request, after: State): Memory {
  switch (request.type) {
    case 'allow_retry':
      return {
        ...memory,
        isDuplicateAccepted: request.accept_duplicate !== null,
        isCancelled: operation.status === 'cancelled' ? false : memory.isCancelled,
      }
    case 'withdraw':
      return { ...memory, isDuplicateAccepted: false }
    case 'cancel':
      return { ...memory, isDuplicateAccepted: false, isCancelled: true }
    case 'deny':
      return { ...memory, isDuplicateAccepted: false, isDenied: true }
    case 'reopen':
      return { ...memory, isCancelled: false }
    default:
      return isGrantSpent(operation.attempt, after) && operation.status === 'in_flight'
        ? { ...memory, isDuplicateAccepted: false }
        : memory
  }
}

/** The granted attempt was announced and did not end in a definite refusal. */
function isGrantSpent(attempt: number, { attempts }: State): boolean {
  const end = attempts.find(({ n }) => n === attempt)?.end ?? null
  return end === 'applied' || end === 'ambiguous'
}
