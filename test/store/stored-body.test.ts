import { describe, expect, it } from 'vitest'
import { digestOf, sha256 } from '../../src/core/digest.js'
import type { Operation } from '../../src/core/operation.js'
import { decide } from '../../src/core/transitions/decide.js'
import { unwritten } from '../../src/core/transitions/evolve.js'
import { intentDigest, restoredBody, storedBody } from '../../src/store/stored-body.js'
import { aContext, anIntent, asked, following, NOON, stampAt } from '../core/builders.js'

const stamp = stampAt(NOON)

describe('the body of an event as it is stored', () => {
  it('gives the body of every event back', () => {
    const prepared = following([asked.prepare()])
    const sent = following([asked.prepare(), asked.send()])
    for (const [state, request] of [
      [null, asked.prepare()],
      [prepared, asked.send()],
      [sent, asked.confirm()],
      [sent, asked.lose()],
    ] as const) {
      const decided = decide(state, request, aContext())
      if (!decided.ok) throw new Error(decided.refusal.reason)
      const { event } = decided
      const before = state?.operation ?? unwritten('ticket-1', NOON)
      const row = sent.operation
      const stored = JSON.parse(JSON.stringify(storedBody(event, { before, row, stamp })))
      const { set, ...rest } = restoredBody(stored, { before, row, stamp })
      const { set: said, ...expected } = event.body
      expect(rest).toEqual(expected)
      expect({ ...before, ...set }).toEqual({ ...before, ...said })
    }
  })

  it('says no column that was so before', () => {
    const { operation } = following([asked.prepare()])
    const decided = decide({ operation, attempts: [] }, asked.send(), aContext())
    if (!decided.ok) throw new Error(decided.refusal.reason)
    const stored = storedBody(decided.event, { before: operation, row: operation, stamp })
    expect(stored.set).toEqual({ lease_owner: operation.lease_owner ?? decided.event.body.set?.lease_owner })
    expect(Object.keys(stored.attempt ?? {}).sort()).toEqual(['latest_arrival', 'send_by'])
  })

  it.each([
    ['no lease', asked.send({ lease_ms: null }), {}],
    ['a lease that outlasts the deadline', asked.send(), { deadline_at: NOON + 1 }],
    ['an earlier first use of its key', asked.send(), { key_first_used_at: NOON - 1 }],
  ])('gives an announced attempt back that is not the usual one: %s', (_, request, over) => {
    const prepared = following([asked.prepare()])
    const before = { ...prepared.operation, ...over }
    const decided = decide({ ...prepared, operation: before }, request, aContext())
    if (!decided.ok) throw new Error(decided.refusal.reason)
    const stating = { before, row: before, stamp }
    const { set, ...rest } = restoredBody(storedBody(decided.event, stating), stating)
    const { set: said, ...expected } = decided.event.body
    expect(rest).toEqual(expected)
    expect({ ...before, ...set }).toEqual({ ...before, ...said })
  })
})

describe('the digest of an intent', () => {
  const { operation } = following([asked.prepare()])
  const input = JSON.stringify(operation.input)
  const whole = (row: Operation) => {
    const { operation_id, input: _, repeat: __, contract: ___, ...intent } = anIntent(row)
    const names = Object.keys(intent).filter(name => name in anIntent())
    const members = Object.fromEntries(names.map(name => [name, Reflect.get(row, name)]))
    return digestOf({ intent: members, operation_id, stored_input: sha256(input) })
  }

  it.each([
    ['as it comes', {}],
    ['with a checkpoint', { checkpoint: { source: 'langgraph', thread_id: 't', step: 3 } }],
    ['with an amount and links', { amount: 0.1, links: ['https://ü.example/"x"'] }],
    ['with a text outside of ASCII', { target: 'Überweisung 😀' }],
  ])('is that of RFC 8785: %s', (_, over) => {
    const row = { ...operation, ...over }
    expect(intentDigest(row, input)).toBe(whole(row))
  })

  it.each([
    ['tool', 'mail.send'],
    ['amount', 7],
    ['links', ['https://x']],
    ['checkpoint', { source: 'x' }],
    ['deadline_at', 1],
    ['compensates', 'other'],
    ['contract_digest', sha256('another')],
  ])('changes with %s', (name, value) => {
    expect(intentDigest({ ...operation, [name]: value }, input)).not.toBe(intentDigest(operation, input))
  })

  it('changes with the text of the input', () => {
    expect(intentDigest(operation, `${input} `)).not.toBe(intentDigest(operation, input))
  })
})
