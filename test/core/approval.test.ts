import { describe, expect, it } from 'vitest'
import { type Approval, approvalFor, awaitsApproval, flawOf } from '../../src/core/approval.js'
import {
  approvalDifferences,
  approvalDigest,
  approvedOf,
  differenceWords,
} from '../../src/core/approval-digest.js'
import { anIntent, NOON, stampAt } from './builders.js'
import { states } from './transitions/cases.js'

const DIGEST = `sha256:${'a'.repeat(64)}`

function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    approval_id: 'approval-1',
    operation_id: 'ticket-1',
    digest: DIGEST,
    approver: 'flag:lee',
    reason: 'reviewed',
    granted_at: NOON,
    expires_at: null,
    uses: 1,
    used: 0,
    revoked_at: null,
    ...over,
  }
}

const asked = { operation: { approval_id: null }, digest: DIGEST, now: stampAt(NOON) }

describe('an approval', () => {
  it.each([
    ['permits a send it was given for', {}, null],
    ['permits nothing once it was revoked', { revoked_at: NOON }, 'was revoked'],
    ['permits nothing else', { digest: `sha256:${'b'.repeat(64)}` }, 'was given for something else'],
    ['permits a send just before it runs out', { expires_at: NOON + 1 }, null],
    ['permits nothing from the moment it runs out', { expires_at: NOON }, 'has expired'],
    ['permits nothing once its uses are used', { uses: 2, used: 2 }, 'is used up'],
    ['permits a send while a use is left', { uses: 2, used: 1 }, null],
  ])('%s', (_, over, flaw) => {
    expect(flawOf(anApproval(over), asked)).toBe(flaw)
  })

  it('goes on for the use that it is in, though all are counted', () => {
    const inUse = { ...asked, operation: { approval_id: 'approval-1' } }
    expect(flawOf(anApproval({ used: 1 }), inUse)).toBeNull()
  })

  it('gives way to a newer one when the one in use was revoked', () => {
    const revoked = anApproval({ used: 1, revoked_at: NOON })
    const newer = anApproval({ approval_id: 'approval-2' })
    const question = { ...asked, operation: { approval_id: 'approval-1' } }
    expect(approvalFor([revoked, newer], question)?.approval_id).toBe('approval-2')
    expect(approvalFor([revoked], question)?.approval_id).toBe('approval-1')
  })

  it.each<[string, Partial<Approval>[], string | null, string | null]>([
    ['none where there is none', [], null, null],
    ['the one in use before a newer one', [{ used: 1 }, {}], 'approval-1', 'approval-1'],
    ['the newest that permits it, where none is in use', [{}, {}], null, 'approval-2'],
    ['an older one, where the newest permits nothing', [{}, { revoked_at: NOON }], null, 'approval-1'],
    [
      'the one in use, to say why, where none permits it',
      [{ used: 1, revoked_at: NOON }, { revoked_at: NOON }],
      'approval-1',
      'approval-1',
    ],
    ['the newest, to say why, where none is in use', [{ revoked_at: NOON }, { used: 1 }], null, 'approval-2'],
    [
      'the newest, where the one in use is not on file',
      [{}, { revoked_at: NOON }],
      'approval-9',
      'approval-1',
    ],
  ])('for a send is %s', (_, given, approval_id, chosen) => {
    const approvals = given.map((over, i) => anApproval({ approval_id: `approval-${i + 1}`, ...over }))
    expect(approvalFor(approvals, { ...asked, operation: { approval_id } })?.approval_id ?? null).toBe(chosen)
  })

  it('is waited for only where one is asked for and none is there', () => {
    const needing = { status: 'prepared', contract: { approval: 'required' }, approval_id: null } as const
    expect(awaitsApproval(needing, false)).toBe(true)
    expect(awaitsApproval(needing, true)).toBe(false)
    expect(awaitsApproval({ ...needing, approval_id: 'approval-1' }, false)).toBe(false)
    expect(awaitsApproval({ ...needing, contract: {} }, false)).toBe(false)
    expect(awaitsApproval({ ...needing, status: 'unknown' }, false)).toBe(false)
  })
})

describe('what an approval is bound to', () => {
  const { operation } = states.prepared()

  it.each([
    ['the operation', { operation_id: 'ticket-2' }],
    ['the tool', { tool: 'tickets.delete' }],
    ['the target', { target: 'elsewhere' }],
    ['the input', { input: { title: 'other' } }],
    ['the effect', { effect: 'read' }],
    ['what a repeat does', { repeat: { kind: 'none' } }],
    ['the contract', { contract_digest: DIGEST }],
  ] as const)('changes with %s', (_, over) => {
    expect(approvalDigest({ ...operation, ...over })).not.toBe(approvalDigest(operation))
  })

  it('names each path that differs, with what was approved and what is there now', () => {
    const approved = approvedOf({ ...operation, input: { message: 'reviewed', to: ['a'] } })
    const now = approvedOf({ ...operation, input: { message: 'changed', to: ['a', 'b'] }, target: 'T' })
    expect(approvalDifferences(approved, now)).toEqual([
      { path: 'input.message', approved: 'reviewed', now: 'changed' },
      { path: 'input.to[1]', approved: null, now: 'b' },
      { path: 'target', approved: anIntent().target, now: 'T' },
    ])
  })

  it('is told with what was approved and what is there now', () => {
    expect(differenceWords({ path: 'input.message', approved: 'reviewed', now: null })).toBe(
      'input.message was "reviewed" and is null',
    )
  })

  it('shows what a repeat does as it is on file', () => {
    const repeat = { kind: 'idempotency_key', retention_ms: 1 } as const
    expect(approvedOf({ ...operation, repeat }).repeat).toEqual(repeat)
    expect(approvedOf({ ...operation, repeat: null }).repeat).toBeNull()
  })
})
