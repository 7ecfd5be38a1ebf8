import { describe, expect, it } from 'vitest'
import {
  arrivalPassedOrEarly,
  hasDuplicates,
  reasonGiven,
  targetAsAsked,
  versionAsSeen,
} from '../../../../src/core/transitions/guards/decision.js'
import { asked, NOON, stampAt } from '../../builders.js'
import { states } from '../cases.js'
import { said, withRow } from './moves.js'

describe('a person', () => {
  it('who looked at another version is told which, and where to look', () => {
    expect(said(versionAsSeen, states.lost(), { ...asked.abandon(), expected_version: 2 })).toEqual({
      reason: 'ticket-1 is unknown at version 3 now, you looked at version 2',
      satisfy: 'look again: agent-ledger show ticket-1',
    })
    expect(said(versionAsSeen, states.lost(), { ...asked.abandon(), expected_version: 3 })).toBeNull()
    expect(said(versionAsSeen, states.lost(), asked.resend())).toBeNull()
  })

  it('says why, in some words', () => {
    const none = { reason: 'no reason was given', satisfy: 'give --reason' }
    expect(said(reasonGiven, states.lost(), asked.abandon())).toBeNull()
    expect(said(reasonGiven, states.lost(), { ...asked.abandon(), reason: ' \n' })).toEqual(none)
    expect(said(reasonGiven, states.lost(), asked.orphan())).toEqual(none)
    expect(said(reasonGiven, states.lost(), asked.resend())).toEqual(none)
  })
})

describe('before the last attempt can have arrived', () => {
  it('it is called not executed only early, and nothing else is early', () => {
    const early = asked.resolveNotExecuted({ early: true })
    expect(said(arrivalPassedOrEarly, states.lost(), early)).toBeNull()
    const confirmed = { ...asked.resolveConfirmed(), early: true }
    expect(said(arrivalPassedOrEarly, states.lost(), confirmed)).toEqual({
      reason: 'an attempt can still arrive until 2026-03-10T12:16:00.000Z',
      satisfy: 'wait until then, or give --early and say why in --reason',
    })
    const later = { now: stampAt(NOON + 3_600_000) }
    expect(said(arrivalPassedOrEarly, states.lost(), asked.resolveNotExecuted(), later)).toBeNull()
  })
})

describe('another target', () => {
  const touched = { external_ids: [{ kind: 'release', value: 'v2.1.0-rc1' }] }
  const released = () => withRow(states.lost(), { target: 'release/v2.1.0' })

  it('is asked about when a person confirms, and only then', () => {
    expect(said(targetAsAsked, released(), asked.resolveConfirmed(touched))?.reason).toMatch(
      /^the target differs: /,
    )
    expect(
      said(targetAsAsked, released(), asked.resolveConfirmed({ ...touched, other_target: true })),
    ).toBeNull()
    expect(said(targetAsAsked, released(), asked.confirm(touched))).toBeNull()
  })
})

describe('duplicates', () => {
  it('are acknowledged where there are some, once', () => {
    const reason = (flags: object) =>
      said(hasDuplicates, withRow(states.confirmed(), { flags }), asked.acknowledge())?.reason
    expect(reason({ duplicates: true })).toBeUndefined()
    expect(reason({})).toBe('no second object is on record')
    expect(reason({ acknowledged_duplicates: 'both are wanted' })).toBe(
      'its duplicates were acknowledged already',
    )
  })
})
