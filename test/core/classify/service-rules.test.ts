import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { NO_FACTS } from '../../../src/core/classify/facts.js'
import { idsInResult, remoteOf } from '../../../src/core/classify/ids.js'
import { categoryOfRule, isRetryable, RULES, RULES_AROUND } from '../../../src/core/classify/rules.js'
import { patternOf, type ServiceRule, serviceRuleId } from '../../../src/core/classify/service-rule.js'
import { failure, grpcError } from './support/thrown.js'

const rule = (when: ServiceRule['when'], end: ServiceRule['end'] = 'not_applied'): ServiceRule => ({
  when,
  end,
  reason: 'so it is here',
})
const endOf = (thrown: unknown, ...rules: ServiceRule[]) =>
  classify(thrown, { contract: { classify: rules } }).end

describe('a rule of a service', () => {
  it.each<[string, ServiceRule['when'], string]>([
    ['its status', { status: [500, 503] }, 'service:500+503'],
    ['all it asks for', { status: 503, code: 'E', grpc: 'UNAVAILABLE' }, 'service:503+E+UNAVAILABLE'],
    ['a header and a value', { header: { a: 'b' }, body: { 'c.d': null } }, 'service:a=b+c.d=null'],
    ['blanks as one line', { header: { a: 'b \n c' } }, 'service:a=b_c'],
    ['200 characters of it', { code: 'x'.repeat(300) }, `service:${'x'.repeat(192)}`],
  ])('is recorded by %s', (_, when, id) => {
    expect(serviceRuleId(rule(when))).toBe(id)
  })

  it('reads the outermost code, status and metadata of a chain of causes', () => {
    const inner = failure({ code: 'INNER' }, failure({ response: { status: 418 } }, grpcError(14)))
    const outer = failure({}, inner)
    expect(endOf(outer, rule({ code: 'INNER' }))).toBe('not_applied')
    expect(endOf(outer, rule({ status: 418 }))).toBe('not_applied')
    expect(endOf(outer, rule({ grpc: 'UNAVAILABLE' }))).toBe('not_applied')
    expect(endOf(failure({ code: 'OUTER' }, inner), rule({ code: 'INNER' }))).toBe('ambiguous')
    expect(endOf(failure({ response: { status: 500 } }, inner), rule({ status: 418 }))).toBe('ambiguous')
  })

  it('reads no body of an answer that has none, and the answer of the cause where the error has none', () => {
    const asks = rule({ body: { ok: false } })
    expect(endOf(failure({}, failure({ response: { status: 500, data: { ok: false } } })), asks)).toBe(
      'not_applied',
    )
    expect(endOf(failure({ ok: false, response: { status: 500, data: { ok: true } } }), asks)).toBe(
      'ambiguous',
    )
  })

  it('that asks for a body leaves in doubt only an answer whose body may be there', () => {
    const asks = rule({ body: { ok: false } })
    const lost = failure({}, failure({ code: 'ECONNRESET', response: { status: 201 } }))
    expect(endOf(lost, asks)).toBe('ambiguous')
    const known = failure({ code: 'ECONNRESET', response: { status: 201, data: { ok: true } } })
    expect(endOf(known, asks)).toBe('applied')
  })
})

describe('a recorded rule', () => {
  it('stands for the trouble that its table names', () => {
    for (const { id, category } of [...RULES, ...RULES_AROUND]) expect(categoryOfRule(id, {})).toBe(category)
  })

  it('of a service stands for what it said, and for nothing where the contract lacks it', () => {
    const contract = {
      classify: [rule({ status: 1 }, 'accepted'), rule({ status: 2 }), rule({ status: 3 }, 'applied')],
    }
    const ids = ['service:1', 'service:2', 'service:3', 'service:4', 'lease_lapsed']
    expect(ids.map(id => categoryOfRule(id, contract))).toEqual(['accepted', 'refused', null, null, null])
  })

  it('is of the moment where its table says so', () => {
    expect(['rate_limited', 'locked', 'connect_refused'].map(isRetryable)).toEqual([true, true, true])
    expect(['not_allowed', 'thrown', 'service:1'].map(isRetryable)).toEqual([false, false, false])
  })
})

describe('where an id stands', () => {
  it('is a path; without one, a pattern for what a command printed', () => {
    expect(idsInResult({ ids: [{ kind: 'run', pattern: 'x' }] }, { undefined: 'no' })).toEqual([])
    expect(patternOf('run (\\d+)')).toEqual(/run (\d+)/gmu)
    expect(patternOf('(')).toBeNull()
  })

  it('is the place that a 202 names to ask, with a link where it is one', () => {
    const said = (headers: Record<string, string>) =>
      remoteOf({ ...NO_FACTS, response: { status: 202, headers, body: null } })
    expect(said({ location: '/jobs/1' })).toEqual({ kind: 'status', value: '/jobs/1' })
    const place = 'https://jobs.example/1'
    expect(said({ 'content-location': place })).toEqual({ kind: 'status', value: place, url: place })
    expect(said({ 'operation-location': '/op', location: '/jobs/1' })?.value).toBe('/op')
    expect(said({ 'operation-location': '', location: '/jobs/1' })?.value).toBe('/jobs/1')
    expect(said({})).toBeNull()
    expect(remoteOf(NO_FACTS)).toBeNull()
  })

  it('is asked for only where the service took the request in', () => {
    const answer = (status: number) => new Response(null, { status, headers: { location: '/jobs/1' } })
    expect(classify(answer(202)).remote).toEqual({ kind: 'status', value: '/jobs/1' })
    expect(classify(answer(201)).remote).toBeNull()
    expect(classify(answer(303)).remote).toBeNull()
  })
})
