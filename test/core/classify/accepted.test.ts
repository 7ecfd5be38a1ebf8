import { describe, expect, it } from 'vitest'
import { accepted, isAccepted, readAccepted } from '../../../src/core/classify/accepted.js'
import { classify, classifyResult } from '../../../src/core/classify/classify.js'

const JOB = { kind: 'job', value: 'J-1' }

describe('accepted()', () => {
  it.each([
    ['thrown', classify],
    ['returned', classifyResult],
  ])('%s says that the service took it in, what to ask for, and how long it may take', (_, read) => {
    expect(read(accepted({ remote: JOB, patienceMs: 60_000 }))).toEqual({
      end: 'accepted',
      rule: 'said_accepted',
      title: 'the handler says that the service took it in and works on it',
      category: 'accepted',
      message: 'the service took it in and works on it',
      code: null,
      host: null,
      status: null,
      retryable: false,
      retry_said: null,
      retry_after_ms: null,
      external_ids: [],
      compare_with: [],
      remote: JOB,
      patience_ms: 60_000,
    })
  })

  it('comes before what the contract says of such a value', () => {
    const classify = [{ when: { body: { patience_ms: 5 } }, end: 'applied', reason: 'x' } as const]
    const given = accepted({ remote: JOB, patienceMs: 5 })
    expect(classifyResult(given, { contract: { classify } }).end).toBe('accepted')
  })

  it('waits as the contract says where it names no time', () => {
    expect(classifyResult(accepted({ remote: JOB })).patience_ms).toBeNull()
  })

  it.each([
    [0, 0],
    [1, 1],
    [-1, null],
    [1.5, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('with a patience of %d ms is kept with %s', (patienceMs, kept) => {
    expect(readAccepted(accepted({ remote: JOB, patienceMs })).patience_ms).toBe(kept)
  })

  it('keeps the link and the scope of what it names, and is believed where it names nothing that can be kept', () => {
    const remote = { ...JOB, url: 'https://jobs.example/J-1', scope: 'eu' }
    expect(readAccepted(accepted({ remote })).remote).toEqual(remote)
    expect(classifyResult(accepted({ remote: { kind: '', value: '' } }))).toMatchObject({
      end: 'accepted',
      remote: null,
    })
  })

  it('is known by its mark, which another copy of the package sets too', () => {
    expect(isAccepted({ [Symbol.for('agent-ledger/accepted')]: true })).toBe(true)
    const others = [{}, null, undefined, 'accepted', 1, () => accepted({ remote: JOB }), { accepted: true }]
    expect(others.map(isAccepted)).toEqual(others.map(() => false))
    expect(isAccepted(Object.create(accepted({ remote: JOB })))).toBe(false)
  })
})
