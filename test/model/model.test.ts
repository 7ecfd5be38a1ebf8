import { afterAll, describe, expect, it } from 'vitest'
import { type Row, story, sum, table } from './report.js'
import { search } from './search.js'
import { nameOf, SERVICE_KINDS, type Setup } from './setup.js'
import { BOUNDED, LONG } from './setups.js'

const rows: Row[] = []

describe('every state of an operation that can be reached, each move decided by the core itself', () => {
  it.each(BOUNDED.map(setup => [nameOf(setup), setup] as const))('holds every law: %s', (_name, setup) => {
    const found = search(setup, { tracing: true, expected: 1 << 18 })
    expect(found.counterexample === null ? 'nothing' : story(found.counterexample)).toBe('nothing')
    expect(found.states).toBeGreaterThan(5_000)
    rows.push({ setup, found })
  })

  // The proof says how much it looked at.
  afterAll(() => console.info(`\n${table(rows)}`))
})

describe('the setups', () => {
  it('are every kind of service, consistent and lagging, in each part of the long form', () => {
    const services = SERVICE_KINDS.flatMap(service => [`${service} false`, `${service} true`])
    const serviceOf = ({ service, lagging }: Setup) => `${service} ${lagging}`
    expect(LONG.length % services.length).toBe(0)
    for (let part = 0; part < LONG.length; part += services.length)
      expect(LONG.slice(part, part + services.length).map(serviceOf)).toEqual(services)
    expect([...new Set(BOUNDED.map(serviceOf))]).toEqual(services)
  })

  it('are each another one', () => {
    for (const setups of [BOUNDED, LONG])
      expect(new Set(setups.map(setup => JSON.stringify(setup))).size).toBe(setups.length)
  })

  it('are summed up', () => {
    const found = { states: 2, transitions: 3, ledgers: 1, depth: 4, counterexample: null }
    const [setup] = BOUNDED
    if (setup === undefined) throw new Error('no setup')
    const twice = [
      { setup, found },
      { setup, found: { ...found, depth: 9 } },
    ]
    expect(sum(twice)).toEqual({ states: 4, transitions: 6, ledgers: 2, depth: 9 })
  })
})
