import { describe, expect, it } from 'vitest'
import { type Decided, decide } from '../../../src/core/transitions/decide.js'
import { TRANSITIONS } from '../../../src/core/transitions/table.js'
import type { Transition } from '../../../src/core/transitions/transition.js'
import { aContext } from '../builders.js'
import { CASES, type Case } from './cases.js'
import { GUARDS_BY_DESIGN } from './guards-by-design.js'
import { type Asked, asAsked, SPOILERS } from './spoilers.js'

/** Guards that by design do not apply to one start of a row; each with the reason. */
const EXEMPT: readonly string[] = [
  // from `cancelled`, allowing a retry takes the cancel back in the same commit
  'allow_retry cancelled: no_cancel_asked',
]

const reached = CASES.map(given => ({ given, row: rowOf(given) }))

describe('the transition table', () => {
  it('has a case for every row and every status the row starts from', () => {
    const found = new Set(reached.map(({ given, row }) => nameOf(row, statusOf(given))))
    const wanted = TRANSITIONS.flatMap(row => row.from.map(from => nameOf(row, from)))
    expect(wanted.filter(name => !found.has(name))).toEqual([])
  })

  it('leads each case where the design says', () => {
    expect(reached.filter(({ given, row }) => row.to !== given.to)).toEqual([])
  })

  it('names each row but once: no two rows of an event start alike and lead alike', () => {
    const names = TRANSITIONS.flatMap(row => row.from.map(from => nameOf(row, from)))
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(GUARDS_BY_DESIGN)('%s asks for what the design asks for', (name, guards) => {
    const row = TRANSITIONS.find(one => nameOf(one, one.from.join(' ')) === name)
    expect((row?.guards ?? []).map(({ id }) => id).join(' ')).toBe(guards)
  })

  it('has a row in the design for each of its own', () => {
    const designed = new Set(GUARDS_BY_DESIGN.map(([name]) => name))
    const rest = TRANSITIONS.filter(row => !designed.has(nameOf(row, row.from.join(' '))))
    expect(rest.filter(({ event, from, to }) => event !== 'late_result' || from.join() !== to)).toEqual([])
    for (const { guards = [] } of rest) expect(guards.map(({ id }) => id)).toEqual(['evidence_given'])
  })

  it('has a way to break every guard it names', () => {
    const guards = new Set(TRANSITIONS.flatMap(row => (row.guards ?? []).map(({ id }) => id)))
    expect([...guards].filter(id => SPOILERS[id] === undefined)).toEqual([])
    expect(Object.keys(SPOILERS).filter(id => !guards.has(id))).toEqual([])
  })

  it.each(pairs())('%s refuses', (_name, asked, id) => {
    const spoil = SPOILERS[id]
    const decided = decideOn(spoil === undefined ? asked : spoil(asked))
    expect(decided.ok ? 'allowed' : decided.refusal.rule).toBe(id)
  })

  it('says for every refusal what is wrong and what would satisfy it', () => {
    const refusals = pairs().flatMap(([, asked, id]) => {
      const decided = decideOn(SPOILERS[id]?.(asked) ?? asked)
      return decided.ok ? [] : [decided.refusal]
    })
    expect(refusals.filter(({ reason, satisfy }) => reason.length < 10 || satisfy.length < 5)).toEqual([])
  })
})

/** Every guard of every row, from every start, beside the case that passes it. */
function pairs(): [name: string, asked: Asked, guard: string][] {
  return reached.flatMap(({ given, row }) => {
    const { state } = given
    if (state === null) return []
    return (row.guards ?? [])
      .map(({ id }) => ({ id, name: `${nameOf(row, statusOf(given))}: ${id}` }))
      .filter(({ id }) => !EXEMPT.includes(`${row.event} ${state.operation.status}: ${id}`))
      .map(({ id, name }): [string, Asked, string] => [
        name,
        asAsked(state, given.request, given.context),
        id,
      ])
  })
}

function rowOf(given: Case): Transition {
  const decided = decide(given.state, given.request, aContext(given.context))
  if (decided.ok) return decided.transition
  throw new Error(`${given.request.type} from ${statusOf(given)} was refused by ${decided.refusal.rule}`)
}

function decideOn({ state, request, context }: Asked): Decided {
  return decide(state, request, context)
}

function statusOf({ state }: Case) {
  return state?.operation.status ?? 'none'
}

function nameOf(row: Transition, from: string): string {
  const when = (row.when ?? []).map(({ id }) => id).join('+')
  return `${row.event} ${from} → ${row.to}${when === '' ? '' : ` (${when})`}`
}
