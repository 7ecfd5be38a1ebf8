import { describe, expect, it } from 'vitest'
import type { AttemptEnd } from '../../../../src/core/attempt.js'
import {
  followsTheirs,
  oursToSend,
  recordSays,
  theirNewAttempt,
  theirRecordEndsDoubt,
} from '../../../../src/core/transitions/guards/importing.js'
import { asked, following, theirAttempt } from '../../builders.js'
import { states } from '../cases.js'
import { said, withAttempts, withRow } from './moves.js'

const theirs = () =>
  following([asked.imported({ status: 'unknown', attempts: [theirAttempt(1, 'ambiguous')] })])

it('their record chooses the row by the status that it says', () => {
  const guard = recordSays('confirmed')
  expect([guard.id, guard.title]).toEqual(['record_says_confirmed', 'their record says confirmed'])
  expect(said(guard, theirs(), asked.imported())).toBeNull()
  const other = { reason: 'their record says something else', satisfy: 'it is kept as evidence' }
  expect(said(guard, theirs(), asked.imported({ status: 'unknown' }))).toEqual(other)
  expect(said(guard, theirs(), { ...asked.resend(), status: 'confirmed' } as never)).toEqual(other)
})

it('what was decided here follows their record no more', () => {
  expect(said(followsTheirs, theirs(), asked.imported())).toBeNull()
  const decided = {
    reason: 'it was decided about here, or written down here first',
    satisfy: 'what their record says is kept as evidence',
  }
  expect(said(followsTheirs, withRow(theirs(), { lease_fence: 2 }), asked.imported())).toEqual(decided)
  expect(said(followsTheirs, withRow(theirs(), { provenance: 'record' }), asked.imported())).toEqual(decided)
  expect(said(oursToSend, withRow(theirs(), { lease_fence: 2 }), asked.send())).toBeNull()
  expect(said(oursToSend, theirs(), asked.send())?.satisfy).toBe(
    'see that the other system does not, then allow-retry',
  )
})

it('an attempt of theirs is new where its number is not known, whatever else they tell', () => {
  const told = (...numbers: number[]) =>
    said(
      theirNewAttempt,
      theirs(),
      asked.imported({ attempts: numbers.map(n => theirAttempt(n, 'applied')) }),
    )
  expect(told(1, 2)).toBeNull()
  expect(told(1)).toEqual({
    reason: 'their record tells of no further attempt',
    satisfy: 'evidence of the opposite is a contradiction',
  })
  const two = withAttempts(theirs(), {}, {})
  expect(
    said(theirNewAttempt, two, asked.imported({ attempts: [theirAttempt(2, 'applied')] })),
  ).not.toBeNull()
  expect(said(theirNewAttempt, theirs(), asked.resend())).not.toBeNull()
})

describe('a doubt that their record ends', () => {
  const told = (known: (AttemptEnd | null)[], ...ends: [number, AttemptEnd | null][]) =>
    said(
      theirRecordEndsDoubt,
      withAttempts(theirs(), ...known.map(end => ({ end }))),
      asked.imported({ status: 'not_executed', attempts: ends.map(([n, end]) => theirAttempt(n, end)) }),
    )

  it.each(['not_applied', 'absent'] as const)('is one of which they say %s', end => {
    expect(told(['ambiguous'], [1, end])).toBeNull()
    expect(told([null], [1, end])).toBeNull()
  })

  it('leaves every other attempt in doubt, by number', () => {
    expect(told(['ambiguous', 'ambiguous'], [1, 'not_applied'])?.reason).toBe(
      'attempt 2 may have taken effect all the same',
    )
    expect(told(['ambiguous', null], [3, 'not_applied'])).toEqual({
      reason: 'attempt 1, 2 may have taken effect all the same',
      satisfy: 'a person or a probe settles it',
    })
    expect(told(['ambiguous'], [1, 'ambiguous'])).not.toBeNull()
    expect(told(['ambiguous'], [1, 'applied'])).not.toBeNull()
  })

  it('is none where a receipt is on file, and nothing else ends it', () => {
    expect(told(['applied'], [1, 'not_applied'])?.reason).toBe('attempt 1 may have taken effect all the same')
    expect(told(['not_applied', 'absent'])).toBeNull()
    expect(said(theirRecordEndsDoubt, states.lost(), asked.resend())).toBeNull()
  })
})
