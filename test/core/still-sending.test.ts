import { expect, it } from 'vitest'
import type { AttemptEnd } from '../../src/core/attempt.js'
import { stillSending } from '../../src/core/still-sending.js'
import { NOON } from './builders.js'
import { states } from './transitions/cases.js'

it.each<[AttemptEnd | null, boolean]>([
  [null, true],
  ['ambiguous', true],
  ['applied', false],
  ['not_applied', false],
  ['absent', false],
])('an attempt that ended %s may still send: %s', (end, may) => {
  const attempts = states.sent().attempts.map(attempt => ({ ...attempt, end }))
  expect(stillSending(attempts, { now: NOON, isOwnerGone: () => false })).toEqual(
    may ? [{ operation_id: 'ticket-1', attempt: 1, owner: 'host/boot-1/42', send_by: NOON + 60_000 }] : [],
  )
})

it('until its time has run out, or its process is known to be gone', () => {
  const { attempts } = states.sent()
  const count = (now: number, gone: string) =>
    stillSending(attempts, { now, isOwnerGone: owner => owner === gone }).length
  expect(count(NOON + 59_999, '')).toBe(1)
  expect(count(NOON + 60_000, '')).toBe(0)
  expect(count(NOON, 'host/boot-1/42')).toBe(0)
})
