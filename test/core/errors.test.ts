import { describe, expect, it } from 'vitest'
import { ERROR_RULES, isLedgerError, LedgerError } from '../../src/core/errors.js'

describe('an error of this project', () => {
  it('has the exit code and the hint of its code, unless its thrower knows better', () => {
    const error = new LedgerError('busy', 'it is locked')
    expect([error.exitCode, error.hint]).toEqual([ERROR_RULES.busy.exitCode, ERROR_RULES.busy.hint])
    expect(error).not.toHaveProperty('cause')
    const cause = new Error('x')
    const detail = { id: 'op-1', path: '/l.db', hint: 'wait', rule: 'fence', facts: { n: 1 }, cause }
    expect(new LedgerError('busy', 'it is locked', detail)).toMatchObject(detail)
  })

  it('is known from every copy of this module, and nothing else is taken for it', () => {
    const named = (over: object) => Object.assign(new Error('x'), over)
    expect(isLedgerError(new LedgerError('busy', 'x'))).toBe(true)
    expect(isLedgerError(named({ name: 'LedgerError', code: 'busy' }))).toBe(true)
    const others = [
      named({ name: 'LedgerError' }),
      named({ name: 'LedgerError', code: undefined }),
      named({ code: 'ENOENT' }),
      new Error('x'),
      { name: 'LedgerError', code: 'busy' },
      null,
    ]
    expect(others.map(isLedgerError)).toEqual(others.map(() => false))
  })
})
