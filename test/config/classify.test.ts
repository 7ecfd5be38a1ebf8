import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/load.js'
import { isLedgerError } from '../../src/core/errors.js'

function factsOf(text: string): unknown {
  try {
    parseConfig(text, '/agent-ledger.yaml')
  } catch (error) {
    if (isLedgerError(error)) return error.facts
    throw error
  }
  throw new Error('nothing was refused')
}

describe('what the answers of a service mean', () => {
  it('is read into the contract of its tool', () => {
    const text = `
tools:
  charges.create:
    classify:
      - when: { status: [503, 504], header: { transient-error: "true" } }
        end: not_applied
        reason: its store of keys was down
        retry: true
      - { when: { code: EPUBLISHCONFLICT }, end: ambiguous, reason: compare }
      - { when: { grpc: [UNAVAILABLE] }, end: not_applied, reason: it never takes a part }
      - { when: { body: { ok: false, errors.0.code: 7 } }, end: not_applied, reason: an error under 200 }
    ids:
      - { kind: charge, path: id, url: receipt_url, scope: acme }
      - { kind: charge, path: error.charge, in: error }
      - { kind: package, pattern: '^\\+ (\\S+)$' }
    queues: true
  plain: { queues: false }
`
    const { tools } = parseConfig(text, '/agent-ledger.yaml')
    expect(tools['charges.create']?.contract).toEqual({
      classify: [
        {
          when: { status: [503, 504], header: { 'transient-error': 'true' } },
          end: 'not_applied',
          reason: 'its store of keys was down',
          retry: true,
        },
        { when: { code: 'EPUBLISHCONFLICT' }, end: 'ambiguous', reason: 'compare' },
        { when: { grpc: ['UNAVAILABLE'] }, end: 'not_applied', reason: 'it never takes a part' },
        {
          when: { body: { ok: false, 'errors.0.code': 7 } },
          end: 'not_applied',
          reason: 'an error under 200',
        },
      ],
      ids: [
        { kind: 'charge', path: 'id', url: 'receipt_url', scope: 'acme' },
        { kind: 'charge', path: 'error.charge', in: 'error' },
        { kind: 'package', pattern: '^\\+ (\\S+)$' },
      ],
      queues: true,
    })
    expect(tools.plain?.contract).toEqual({})
  })

  it('is refused with every mistake and its line', () => {
    const text = `
tools:
  t:
    classify:
      - { when: {}, end: not_applied, reason: x }
      - { when: { status: 99 }, end: not_applied, reason: x }
      - { when: { status: 500 }, end: failed, reason: x }
      - { when: { staus: 500 }, end: ambiguous, reason: x }
      - { when: { grpc: unavailable }, end: ambiguous, reason: x }
      - { when: { header: { a: true } }, end: ambiguous, reason: x }
      - { when: { body: { a: [1] } }, end: ambiguous, reason: x }
      - { when: { code: X }, end: ambiguous }
    ids:
      - { path: x }
      - { kind: x, path: a, in: header }
      - { kind: x }
      - { kind: x, pattern: '(' }
    queues: maybe
`
    expect(factsOf(text)).toEqual({
      'line 5, column 17':
        'tools.t.classify.0.when: it names nothing to tell the answer by: give status, code, grpc, header, body',
      'line 6, column 27': 'tools.t.classify.1.when.status: a status from 100 to 599 is wanted',
      'line 7, column 39':
        'tools.t.classify.2.end: one of applied, not_applied, accepted, ambiguous is wanted',
      'line 8, column 17':
        'tools.t.classify.3.when: it names nothing to tell the answer by: give status, code, grpc, header, body',
      'line 8, column 19': 'tools.t.classify.3.when.staus: no such key (did you mean status?)',
      'line 9, column 25': 'tools.t.classify.4.when.grpc: a gRPC status, or a list of them, is wanted',
      'line 10, column 32': 'tools.t.classify.5.when.header.a: a text is wanted; put it in quotes',
      'line 11, column 30': 'tools.t.classify.6.when.body.a: a text, a number, true, false or null is wanted',
      'line 12, column 9': 'tools.t.classify.7.reason is missing: a text is wanted',
      'line 14, column 9': 'tools.t.ids.0.kind is missing: a text is wanted',
      'line 15, column 33': 'tools.t.ids.1.in: result or error is wanted',
      'line 16, column 9': 'tools.t.ids.2: give either path or pattern',
      'line 17, column 29': 'tools.t.ids.3.pattern: it is no regular expression',
      'line 18, column 13': 'tools.t.queues: true or false is wanted',
    })
  })
})
