import { describe, expect, it } from 'vitest'
import type { Flags, OperationStatus, Repeat } from '../../src/core/operation.js'
import { DEFAULT_ARRIVAL_BOUND_MS, isSafeToRepeat, type RepeatQuestion } from '../../src/core/repeat.js'
import { NOON, stampAt } from './builders.js'

const DAY = 86_400_000
const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: DAY }

function ask(
  repeat: Repeat | null,
  { at = NOON, touched = null, ...over }: Partial<RepeatQuestion['operation']> & Asked = {},
) {
  const retention = repeat?.kind === 'idempotency_key' ? repeat.retention_ms : null
  return isSafeToRepeat({
    operation: {
      status: 'unknown',
      flags: {},
      may_have_applied: true,
      repeat,
      key_first_used_at: NOON,
      key_retention_ms: retention,
      contract: {},
      target: 'tickets.example',
      ...over,
    },
    now: stampAt(at),
    targetTouched: touched,
  })
}

interface Asked {
  readonly at?: number
  readonly touched?: boolean | null
}

describe('a repeat', () => {
  it('is safe while nothing may have applied, whatever the contract', () => {
    for (const repeat of [null, KEYED, { kind: 'none' }] as const)
      expect(ask(repeat, { may_have_applied: false })).toMatchObject({ safe: true, until: null })
  })

  it.each<[OperationStatus, Flags, boolean]>([
    ['unknown', { reopened: true }, false],
    ['unknown', { contradicted: true }, false],
    ['unknown', { denied: true }, true],
    ['in_flight', {}, false],
    ['not_executed', { reopened: true }, true],
    ['prepared', { contradicted: true }, true],
  ])('of what is %s with the flags %o and no attempt in doubt is safe: %s', (status, flags, safe) => {
    expect(ask(null, { may_have_applied: false, status, flags }).safe).toBe(safe)
  })

  it('is not safe where nobody declared what it does, or it is known to do harm', () => {
    expect(ask(null).safe).toBe(false)
    expect(ask({ kind: 'none' }).safe).toBe(false)
  })

  it('is safe under a permanent name', () => {
    expect(ask({ kind: 'conditional', names: 'permanent' })).toMatchObject({ safe: true, until: null })
  })

  it.each<[Repeat]>([[{ kind: 'idempotent' }], [{ kind: 'conditional', names: 'reusable' }]])(
    '%o is safe only while it is known that nobody else touched the named target',
    repeat => {
      expect(ask(repeat, { touched: false }).safe).toBe(true)
      expect(ask(repeat, { touched: true }).safe).toBe(false)
      expect(ask(repeat, { touched: null }).safe).toBe(false)
      expect(ask(repeat, { touched: false, target: null }).safe).toBe(false)
    },
  )
})

describe('the answer about a repeat', () => {
  const reusable: Repeat = { kind: 'conditional', names: 'reusable' }

  it.each<[Repeat | null, Parameters<typeof ask>[1], string]>([
    [null, { may_have_applied: false }, 'no attempt may have taken effect'],
    [null, {}, 'nobody declared'],
    [{ kind: 'none' }, {}, 'does not recognise a repeat'],
    [{ kind: 'idempotent' }, { touched: false }, 'the same state again changes nothing'],
    [{ kind: 'idempotent' }, { touched: true }, 'another operation on this target was sent since'],
    [{ kind: 'idempotent' }, { touched: null }, 'nobody looked'],
    [{ kind: 'idempotent' }, { target: null }, 'the target is not named'],
    [{ kind: 'conditional', names: 'permanent' }, {}, 'taken for ever by the first arrival'],
    [reusable, { touched: false }, 'the condition refuses a second arrival'],
    [KEYED, {}, 'the service still knows the key'],
    [KEYED, { at: NOON + DAY }, 'may have forgotten the key'],
    [KEYED, { key_first_used_at: null }, 'how long the service keeps the key is not known'],
    [KEYED, { key_retention_ms: null }, 'how long the service keeps the key is not known'],
    [
      KEYED,
      { contract: { arrival_bound_ms: 'unbounded' } },
      'how long the service keeps the key is not known',
    ],
  ])('of %o with %o says why: %s', (repeat, over, reason) => {
    expect(ask(repeat, over).reason).toContain(reason)
  })
})

describe('a repeat under an idempotency key', () => {
  const until = NOON + DAY - DEFAULT_ARRIVAL_BOUND_MS

  it('is safe until retention less the arrival bound has passed since the first use', () => {
    expect(ask(KEYED, { at: until - 1 })).toMatchObject({ safe: true, until })
    expect(ask(KEYED, { at: until })).toMatchObject({ safe: false, until: null })
  })

  it('has the margin that its contract bounds the arrival by', () => {
    const contract = { arrival_bound_ms: 1_000 }
    expect(ask(KEYED, { contract, at: NOON + DAY - 1_001 }).safe).toBe(true)
    expect(ask(KEYED, { contract, at: NOON + DAY - 1_000 }).safe).toBe(false)
  })

  it('is not safe without a published retention, a first use or an arrival bound', () => {
    expect(ask({ kind: 'idempotency_key', retention_ms: null }).safe).toBe(false)
    expect(ask(KEYED, { key_first_used_at: null }).safe).toBe(false)
    expect(ask(KEYED, { contract: { arrival_bound_ms: 'unbounded' } }).safe).toBe(false)
  })

  it('ages by the clock that says more: setting the wall clock back makes no key younger', () => {
    const sent = stampAt(NOON)
    const setBack = { ...stampAt(until), at: NOON + 60_000 }
    const question = {
      operation: {
        status: 'unknown',
        flags: {},
        may_have_applied: true,
        repeat: KEYED,
        key_first_used_at: NOON,
        key_retention_ms: DAY,
        contract: {},
        target: null,
      },
      now: setBack,
      targetTouched: null,
    } as const
    expect(isSafeToRepeat({ ...question, firstSent: sent }).safe).toBe(false)
    const justBefore = { ...setBack, boot_ms: setBack.boot_ms - 1 }
    expect(isSafeToRepeat({ ...question, now: justBefore, firstSent: sent })).toMatchObject({
      safe: true,
      until: justBefore.at + 1,
    })
    // a stamp of another moment than the first use says nothing about the key
    expect(isSafeToRepeat({ ...question, firstSent: { ...sent, at: sent.at - 1 } }).safe).toBe(true)
  })
})
