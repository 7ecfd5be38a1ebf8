import { describe, expect, it } from 'vitest'
import { compensationOf } from '../../src/core/compensation.js'
import type { Operation } from '../../src/core/operation.js'
import { fill } from '../../src/core/placeholders.js'
import { states } from './transitions/cases.js'

const REFUND = { tool: 'refund', input: { charge: '{external_id.charge}', amount: '{input.amount}' } }
const CHARGE = [{ kind: 'charge', value: 'ch_1' }]

function charged(over: Partial<Operation> = {}): Operation {
  const { operation } = states.confirmed()
  return {
    ...operation,
    operation_id: 'op-2',
    tool: 'charge',
    effect: 'compensable',
    input: { amount: 1250 },
    contract: { compensate: REFUND },
    ...over,
  }
}

describe('the compensation of an operation', () => {
  it('is an operation of its own, with the declared tool and its input filled in', () => {
    const answer = compensationOf({ operation: charged(), external_ids: CHARGE, undoings: [] })
    expect(answer).toMatchObject({
      kind: 'new',
      compensation: {
        operation_id: 'op-2/undo/refund',
        input: { charge: 'ch_1', amount: 1250 },
        target: null,
      },
    })
  })

  it.each(['prepared', 'in_flight', 'unknown', 'confirmed', 'not_executed'] as const)(
    'is not started a second time while one is there that is %s',
    status => {
      const undoings = [{ operation_id: 'op-4', status }]
      const answer = compensationOf({ operation: charged(), external_ids: CHARGE, undoings })
      expect(answer).toEqual({ kind: 'there', undoing: undoings[0] })
    },
  )

  it('gets another id where an earlier one was cancelled', () => {
    const undoings = [{ operation_id: 'op-2/undo/refund', status: 'cancelled' as const }]
    const answer = compensationOf({ operation: charged(), external_ids: CHARGE, undoings })
    expect(answer).toMatchObject({ kind: 'new', compensation: { operation_id: 'op-2/undo/refund/2' } })
  })

  it.each([
    ['of what is unknown', { ...charged(), status: 'unknown' as const }, CHARGE, 'is_confirmed'],
    ['of what was never sent', { ...charged(), status: 'cancelled' as const }, CHARGE, 'is_confirmed'],
    ['where none is declared', charged({ contract: {} }), CHARGE, 'compensation_declared'],
    ['where the record lacks what it wants', charged(), [], 'compensation_filled'],
    [
      'where one kind names two objects',
      charged(),
      [...CHARGE, { kind: 'charge', value: 'ch_2' }],
      'compensation_filled',
    ],
  ])('is refused %s', (_, operation, external_ids, rule) => {
    const answer = compensationOf({ operation, external_ids, undoings: [] })
    expect(answer).toMatchObject({ kind: 'refused', refusal: { rule } })
  })

  it.each<[string, Partial<Operation>, string, string]>([
    ...(['unknown', 'in_flight', 'prepared'] as const).map(
      status =>
        [
          status,
          { status },
          `op-2 is ${status}, not confirmed: nobody knows that there is something to undo`,
          'find out first whether it took effect: agent-ledger show op-2, then resolve it',
        ] as [string, Partial<Operation>, string, string],
    ),
    ...(['not_executed', 'cancelled', 'abandoned'] as const).map(
      status =>
        [
          status,
          { status },
          `op-2 is ${status}, not confirmed: nobody knows that there is something to undo`,
          'nothing is to be undone',
        ] as [string, Partial<Operation>, string, string],
    ),
    [
      'not declared',
      { contract: {}, effect: null },
      'charge declares no compensation, and nobody declared what undoing it takes',
      'undo it where it was done and leave a note (agent-ledger note op-2), or declare compensate: for charge before its next run',
    ],
    [
      'declared without a tool',
      { contract: { compensate: { input: 1 } } },
      'charge declares no compensation, and what it did stays visible: undoing it is a new effect that makes up for it',
      'undo it where it was done and leave a note (agent-ledger note op-2), or declare compensate: for charge before its next run',
    ],
    [
      'not filled',
      { contract: { compensate: { ...REFUND, target: '{target}' } }, target: null, input: {} },
      'its compensation wants {input.amount}, {target}, and the record of op-2 has none, or more than one',
      'undo it where it was done and leave a note, or prepare the operation that undoes it yourself',
    ],
  ])('is refused with the way out: %s', (_, over, reason, satisfy) => {
    const answer = compensationOf({ operation: charged(over), external_ids: CHARGE, undoings: [] })
    expect(answer.kind === 'refused' ? answer.refusal : null).toMatchObject({
      code: 'refused',
      reason,
      satisfy,
    })
  })

  it('goes to the target that is declared, filled in too', () => {
    const compensate = { ...REFUND, target: 'shop/{target}' }
    const operation = charged({ contract: { compensate }, target: 'eu' })
    const answer = compensationOf({ operation, external_ids: CHARGE, undoings: [] })
    expect(answer).toMatchObject({ compensation: { target: 'shop/eu', declared: compensate } })
  })

  it('says by the effect what is possible at all', () => {
    const sent = charged({ contract: {}, effect: 'irreversible', tool: 'mail.send' })
    const answer = compensationOf({ operation: sent, external_ids: [], undoings: [] })
    expect(answer.kind === 'refused' ? answer.refusal.reason : '').toContain('nothing undoes it')
  })
})

describe('a template', () => {
  const facts = {
    operation_id: 'op-2',
    target: null,
    idempotency_key: 'al-1',
    input: { a: { b: [1, 2] }, text: 'x' },
    result: { id: 7 },
    external_id: {},
  }

  it('becomes the value where a text is one placeholder, and text inside a text', () => {
    expect(fill({ whole: '{input.a}', part: 'id {result.id} of {input.text}' }, facts)).toEqual({
      value: { whole: { b: [1, 2] }, part: 'id 7 of x' },
      missing: [],
    })
  })

  it('leaves braces alone that name nothing it knows', () => {
    expect(fill(['{other}', '{', '{input'], facts)).toEqual({
      value: ['{other}', '{', '{input'],
      missing: [],
    })
  })

  it('names each placeholder for which nothing is there, once', () => {
    expect(fill(['{target}', 'to {target}', '{external_id.x}'], facts).missing).toEqual([
      '{target}',
      '{external_id.x}',
    ])
  })
})
