import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../src/core/evidence.js'
import type { JsonValue } from '../../src/core/json.js'
import { leftToPerson } from '../../src/core/last-look.js'

const piece = (n: number, body: JsonValue, over: Partial<Evidence> = {}): Evidence => ({
  operation_id: 'op-1',
  n,
  at: n,
  actor: 'ana',
  hash: `sha256:${n}`,
  kind: 'probe',
  origin: 'looked_up',
  attempt: null,
  body,
  ...over,
})
const look = (waits_for: string | null, seen_attempts = 1) => ({
  verdict: { verdict: 'inconclusive', reason: 'ticket T-9 looks like it', waits_for },
  observation: { seen_attempts },
})

describe('what the latest look left to a person', () => {
  it('is its reason, until a look says otherwise or something is sent again', () => {
    const found = piece(1, look('person'))
    expect(leftToPerson([found], { attempt: 1 })).toBe('ticket T-9 looks like it')
    expect(leftToPerson([found, piece(2, look('time'))], { attempt: 1 })).toBeNull()
    expect(leftToPerson([found], { attempt: 2 })).toBeNull()
    expect(leftToPerson([], { attempt: 1 })).toBeNull()
  })

  it('stays what it is beside what people add, and is nothing that anybody else wrote', () => {
    const note = piece(2, 'I called them', { kind: 'attestation', origin: 'attested' })
    expect(leftToPerson([piece(1, look('person')), note], { attempt: 1 })).toBe('ticket T-9 looks like it')
    expect(leftToPerson([piece(1, look('person'), { origin: 'imported' })], { attempt: 1 })).toBeNull()
    expect(leftToPerson([piece(1, 'a text')], { attempt: 1 })).toBeNull()
    expect(leftToPerson([piece(1, { verdict: null })], { attempt: 1 })).toBeNull()
    expect(leftToPerson([piece(1, null)], { attempt: 1 })).toBeNull()
    expect(leftToPerson([piece(1, look('person'), { kind: 'receipt' })], { attempt: 1 })).toBeNull()
    const nameless = { verdict: { waits_for: 'person', reason: 7 }, observation: { seen_attempts: 1 } }
    expect(leftToPerson([piece(1, nameless)], { attempt: 1 })).toBeNull()
  })
})
