import { describe, expect, it } from 'vitest'
import { story } from './report.js'
import { type Counterexample, search } from './search.js'
import { ASSUMPTIONS, type Assumption, type Setup } from './setup.js'

/** What goes wrong without each assumption, and steps without which it would not. */
const CONSEQUENCES: Readonly<
  Record<Assumption, { setup: Partial<Setup>; law: string; among: readonly string[] }>
> = {
  'arrival bound': {
    setup: { service: 'probe only', people: false },
    law: 'not_executed means that it did not take effect and cannot',
    among: ['the bytes of attempt 1 leave', 'the answer was lost', 'time passes'],
  },
  'key margin': {
    setup: { service: 'keyed', attempts: 2 },
    law: 'no second effect unless a person accepted it',
    among: [
      'the request of attempt 1 arrives and takes effect',
      'the same request is safe to send again',
      'the service forgets the key',
      'the request of attempt 2 arrives and takes effect',
    ],
  },
  'durable send before bytes': {
    setup: { service: 'nothing', people: true },
    law: 'cancelled means that nothing happened',
    among: ['before its send is durable, and the process dies', 'a person cancels it'],
  },
  'fence check': {
    setup: { service: 'nothing', attempts: 2 },
    law: 'not_executed means that it did not take effect and cannot',
    among: [
      'the lease is seen to have run out',
      'a person allows one more attempt',
      'the executor of attempt 1 records that it was refused',
    ],
  },
  'settle window': {
    setup: { service: 'conditional', lagging: true },
    law: 'not_executed means that it did not take effect and cannot',
    among: [
      'the request of attempt 1 arrives and takes effect',
      'a probe reads: nothing there',
      'a probe concludes that nothing took effect',
    ],
  },
  'nothing deleted': {
    setup: { service: 'conditional' },
    law: 'not_executed means that it did not take effect and cannot',
    among: ['somebody deletes what the operation made', 'a probe concludes that nothing took effect'],
  },
}

describe('an assumption dropped shows what it is there for', () => {
  it.each(ASSUMPTIONS)('%s', dropped => {
    const { setup, law, among } = CONSEQUENCES[dropped]
    const { counterexample } = searchOf({ ...setup, dropped })
    expect(counterexample?.law).toBe(law)
    const told = counterexample === null ? '' : story(counterexample)
    for (const step of among) expect(told).toContain(step)
    expect(counterexample?.trace.length).toBeLessThan(14)
  })

  it.each(ASSUMPTIONS)('%s: with it the same search finds nothing', dropped => {
    expect(searchOf(CONSEQUENCES[dropped].setup).counterexample).toBeNull()
  })

  it('is told step by step, from the first that matters', () => {
    const { counterexample } = searchOf({ ...CONSEQUENCES['settle window'].setup, dropped: 'settle window' })
    expect(told(counterexample).split('\n').slice(0, 3)).toEqual([
      'broken: not_executed means that it did not take effect and cannot: attempt 1 took effect',
      '  1. ledger: an attempt is announced',
      '  2. outside: the bytes of attempt 1 leave',
    ])
  })
})

function told(counterexample: Counterexample | null): string {
  return counterexample === null ? '' : story(counterexample)
}

function searchOf(over: Partial<Setup>) {
  const setup: Setup = {
    service: 'keyed',
    lagging: false,
    attempts: 1,
    budget: 2,
    claims: 'truthful',
    accepts: false,
    approval: false,
    people: false,
    ...over,
  }
  return search(setup, { tracing: true })
}
