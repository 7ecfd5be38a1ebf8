import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.js'
import type { Evidence } from '../../src/core/evidence.js'
import type { JsonValue } from '../../src/core/json.js'
import { verificationOf } from '../../src/core/verification.js'
import { asked, following } from './builders.js'

const ARRIVAL = 1_000_000
const { attempts: sent } = following([asked.prepare(), asked.send()])

function settled(
  status: 'confirmed' | 'not_executed' | 'unknown',
  {
    end = null,
    probe,
    ...over
  }: { readonly end?: Attempt['end']; readonly probe?: JsonValue; readonly flags?: object } = {},
) {
  const operation = {
    status,
    settled_by: status === 'unknown' ? null : ('person' as const),
    by_hand: { by: 'flag:ana', at: 5 },
    flags: {},
    ...over,
  }
  const attempts = sent.map(attempt => ({ ...attempt, end, latest_arrival: ARRIVAL }))
  const said: Evidence = { ...PIECE, n: 1, kind: 'attestation', origin: 'attested', body: 'I saw it' }
  const evidence =
    probe === undefined ? [said] : [said, { ...PIECE, n: 2, body: { verdict: {}, observation: probe } }]
  return verificationOf({ operation, attempts, evidence })
}

const PIECE: Evidence = {
  operation_id: 'ticket-1',
  n: 2,
  kind: 'probe',
  origin: 'looked_up',
  attempt: null,
  body: null,
  at: 9,
  actor: 'agent',
  hash: `sha256:${'0'.repeat(64)}`,
}
const EMPTY = {
  completeness: 'complete',
  parent: 'readable',
  remote: null,
  matches: [],
  grade: 'B',
  observed_at: ARRIVAL + 60,
  terms: { settle_ms: 60 },
}

describe('what stands behind a settlement by hand', () => {
  it.each([
    ['a word alone', settled('confirmed', { end: 'ambiguous' }), 'attested'],
    [
      'no evidence',
      settled('confirmed', { end: 'ambiguous', flags: { without_evidence: true } }),
      'without_evidence',
    ],
    ['a receipt of its attempt', settled('confirmed', { end: 'applied' }), 'verified'],
    [
      'a look-up by our key',
      settled('confirmed', { probe: { matches: [{ matched_by: 'key' }] } }),
      'verified',
    ],
    [
      'a look-alike',
      settled('confirmed', { probe: { matches: [{ matched_by: 'attributes' }] } }),
      'attested',
    ],
    ['a word that it did not happen', settled('not_executed', { end: 'absent' }), 'attested'],
    ['a refusal that its executor saw', settled('not_executed', { end: 'not_applied' }), 'verified'],
    [
      'a complete reading after all had arrived',
      settled('not_executed', { end: 'absent', probe: EMPTY }),
      'verified',
    ],
    [
      'a reading just before that',
      settled('not_executed', { end: 'absent', probe: { ...EMPTY, observed_at: ARRIVAL + 59 } }),
      'attested',
    ],
    ['a search', settled('not_executed', { end: 'absent', probe: { ...EMPTY, grade: 'D' } }), 'attested'],
    [
      'a failed reading',
      settled('not_executed', { end: 'absent', probe: { completeness: 'failed', code: 'timed_out' } }),
      'attested',
    ],
    ['nothing, since it is doubted again', settled('unknown'), null],
  ])('%s', (_, got, expected) => {
    expect(got).toBe(expected)
  })
})
