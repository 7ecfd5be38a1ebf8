import { describe, expect, it } from 'vitest'
import { causeOf } from '../../src/core/cause.js'
import { EFFECTS, isSettled, OPERATION_STATUSES, SETTLED_STATUSES } from '../../src/core/operation.js'
import { byRisk, RISK_RANKS, riskOf } from '../../src/core/risk.js'
import { CLOSED_TASK_STATUSES, isTaskClosed, TASK_STATUSES } from '../../src/core/task.js'
import { NOON } from './builders.js'

const small = { effect: 'irreversible', amount: null, created_at: NOON } as const

describe('the order of risk', () => {
  it('takes what nobody declared for the worst, then what cannot be undone, down to what only reads', () => {
    const order = [null, ...EFFECTS].sort(
      (a, b) => RISK_RANKS[riskOf({ effect: b })] - RISK_RANKS[riskOf({ effect: a })],
    )
    expect(order[0]).toBeNull()
    expect(order[1]).toBe('irreversible')
    expect(order.slice(-2)).toEqual(['reversible', 'read'])
    expect(RISK_RANKS.mitigable).toBe(RISK_RANKS.compensable)
  })

  it('goes by effect, then by declared amount, then by age', () => {
    const read = { ...small, effect: 'read', amount: 9_000 } as const
    const large = { ...small, amount: 5 }
    const old = { ...small, created_at: NOON - 1 }
    const undeclared = { ...small, effect: null }
    const sorted = [read, small, large, old, undeclared].sort(byRisk)
    expect(sorted).toEqual([undeclared, large, old, small, read])
  })

  it('takes no amount for none', () => {
    expect(byRisk({ ...small, amount: 0 }, small)).toBe(0)
    expect(byRisk({ ...small, amount: -1 }, small)).toBeGreaterThan(0)
  })
})

describe('a cause', () => {
  const error = { rule: 'http_503', message: 'busy', at: NOON, attempt: 1 }

  it('is the rule of the last error, the tool and the host where one is known', () => {
    expect(causeOf({ tool: 'tickets.create', last_error: { ...error, host: 'api.example' } })).toBe(
      'http_503 tickets.create api.example',
    )
    expect(causeOf({ tool: 'tickets.create', last_error: error })).toBe('http_503 tickets.create')
    expect(causeOf({ tool: 'tickets.create', last_error: null })).toBeNull()
  })
})

describe('a status', () => {
  it('is settled or open, never both', () => {
    expect(OPERATION_STATUSES.filter(isSettled)).toEqual([...SETTLED_STATUSES])
    expect(OPERATION_STATUSES.filter(status => !isSettled(status))).toEqual([
      'prepared',
      'in_flight',
      'unknown',
    ])
  })

  it('of a task is closed or open', () => {
    expect(TASK_STATUSES.filter(isTaskClosed).sort()).toEqual([...CLOSED_TASK_STATUSES].sort())
    expect(isTaskClosed('suspended')).toBe(false)
  })
})
