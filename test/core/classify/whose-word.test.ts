import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { notExecuted } from '../../../src/core/classify/not-executed.js'
import type { ServiceRule } from '../../../src/core/classify/service-rule.js'
import type { Contract } from '../../../src/core/operation.js'
import { failure } from './support/thrown.js'

const CHARGE = { kind: 'charge', value: 'ch_1' }
const IDS = [
  { kind: 'charge', path: 'error.charge', in: 'error' },
  { kind: 'job', path: 'job' },
] as const
const answered = (status: number, data: unknown = { error: { charge: 'ch_1' } }, over: object = {}) =>
  failure({ response: { status, headers: {}, data }, ...over })
const rule = (when: ServiceRule['when'], end: ServiceRule['end'], retry?: boolean): ServiceRule => ({
  when,
  end,
  reason: 'so it is here',
  ...(retry === undefined ? {} : { retry }),
})
const read = (thrown: unknown, contract: Contract = {}) => classify(thrown, { contract })

describe('an id at a place that the contract names for errors', () => {
  it('says that the object was made, whatever else the error says', () => {
    for (const status of [400, 429, 500])
      expect(read(answered(status), { ids: IDS })).toMatchObject({
        end: 'applied',
        rule: 'id_in_error',
        title: 'the error names the object that was made',
        category: null,
        retryable: false,
        external_ids: [CHARGE],
        compare_with: [],
        remote: null,
      })
  })

  it('outranks a rule of the service that calls it a refusal', () => {
    const classify = [rule({ status: 400 }, 'not_applied', true)]
    expect(read(answered(400), { ids: IDS, classify }).rule).toBe('id_in_error')
  })

  it('in "it exists already" may be of somebody else: it is kept to compare with, and settles nothing', () => {
    for (const status of [409, 412, 422])
      expect(read(answered(status), { ids: IDS })).toMatchObject({
        end: 'ambiguous',
        rule: 'compare',
        external_ids: [],
        compare_with: [CHARGE],
      })
    const classify = [rule({ status: 409 }, 'not_applied')]
    expect(read(answered(409), { ids: IDS, classify })).toMatchObject({
      end: 'not_applied',
      compare_with: [CHARGE],
    })
  })

  it('is looked for in the answer of the cause, and on the error itself where no body was read', () => {
    expect(read(failure({}, answered(400)), { ids: IDS }).external_ids).toEqual([CHARGE])
    expect(read(failure({ error: { charge: 'ch_1' } }), { ids: IDS }).external_ids).toEqual([CHARGE])
    const other = answered(400, { id: 'none' }, { error: { charge: 'ch_1' } })
    expect(read(other, { ids: IDS })).toMatchObject({ end: 'not_applied', external_ids: [] })
  })

  it('stands beside those of the result where the service says that it was done or taken in', () => {
    const classify = [rule({ status: 409 }, 'accepted')]
    const body = { job: 'J-1', error: { charge: 'ch_1' } }
    const job = { kind: 'job', value: 'J-1' }
    expect(read(answered(409, body), { ids: IDS, classify })).toMatchObject({
      end: 'accepted',
      external_ids: [job, CHARGE],
      remote: job,
    })
    const done = [rule({ code: 'X' }, 'applied')]
    expect(read(failure({ code: 'X' }), { ids: IDS, classify: done })).toMatchObject({
      end: 'applied',
      external_ids: [],
      remote: null,
    })
  })
})

describe('the word of the handler', () => {
  it('comes before an id, a read and the rules of the service', () => {
    const said = Object.assign(notExecuted('never began'), {
      error: { charge: 'ch_1' },
      code: 'X',
      config: { method: 'get' },
    })
    const contract = { ids: IDS, classify: [rule({ code: 'X' }, 'applied')], queues: true as const }
    expect(read(said, contract)).toMatchObject({ end: 'not_applied', rule: 'said_not_executed' })
  })
})

describe('the outermost that says anything', () => {
  const refused = failure({ code: 'ECONNREFUSED', syscall: 'connect' })

  it.each<[string, object, string]>([
    ['an answer that nobody listed', { response: { status: 418 } }, 'thrown'],
    [
      'an answer beside a code of its cause',
      { response: { status: 500 }, code: 'ECONNREFUSED' },
      'server_error',
    ],
    ['an abort', { name: 'AbortError' }, 'aborted'],
  ])('counts, and not the cause: %s', (_, over, rule) => {
    expect(read(failure(over, refused))).toMatchObject({ end: 'ambiguous', rule, retryable: false })
    expect(read(failure(over, new Error('plain'))).rule).toBe(rule)
  })
})

describe('a refusal that may be none', () => {
  const refused = answered(400, {})

  it('is in doubt where the service queues what it refuses, unless its own rule says otherwise', () => {
    expect(read(refused, { queues: true })).toMatchObject({
      end: 'ambiguous',
      rule: 'queued_refusal',
      category: 'outcome_unknown',
      retryable: false,
    })
    expect(read(refused).end).toBe('not_applied')
    const classify = [rule({ status: 400 }, 'not_applied')]
    expect(read(refused, { queues: true, classify }).end).toBe('not_applied')
    expect(read(failure({ code: 'ECONNREFUSED' }), { queues: true }).end).toBe('not_applied')
  })

  it('leaves an answer that it was done as it is, though the service queues or a layer below sent it twice', () => {
    expect(read(new Response(null, { status: 201 }), { queues: true }).end).toBe('applied')
    const lost = failure({ code: 'ECONNRESET', response: { statusCode: 201, retryCount: 1 } })
    expect(read(lost).end).toBe('applied')
    const again = failure({ response: { statusCode: 500, retryCount: 1 } })
    expect(read(again).rule).toBe('server_error')
  })

  it('was sent twice where the cause tells of it', () => {
    const resent = failure({ code: 'ECONNREFUSED', config: { 'axios-retry': { retryCount: 1 } } })
    expect(read(failure({}, resent)).rule).toBe('resent_below')
    expect(read(failure({ config: { 'axios-retry': { retryCount: '1' } }, code: 'ENOTFOUND' })).end).toBe(
      'not_applied',
    )
  })

  it.each(['GET', 'HEAD', 'OPTIONS'])('is none where %s was what failed, in the cause too', method => {
    const read = failure({ code: 'ENOTFOUND', config: { method } })
    expect(classify(read)).toMatchObject({ end: 'ambiguous', rule: 'read_failed', retryable: false })
    expect(classify(failure({}, read)).rule).toBe('read_failed')
    const lost = failure({ code: 'ECONNRESET', config: { method } })
    expect(classify(lost).rule).toBe('connection_lost')
  })

  it('is one of the write where the outer error names the write', () => {
    const inner = failure({ code: 'ENOTFOUND', config: { method: 'get' } })
    const outer = Object.assign(failure({ request: { method: 'POST' } }, inner))
    expect(classify(outer)).toMatchObject({ end: 'not_applied', rule: 'host_not_found' })
  })
})
