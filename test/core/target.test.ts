import { describe, expect, it } from 'vitest'
import { targetDifference } from '../../src/core/target.js'
import { asked, following, moved, refusalOf, SEEN } from './builders.js'

const id = (kind: string, value: string) => ({ kind, value })

describe('the target that was touched', () => {
  it.each([
    ['release/v2.1.0', id('release', 'v2.1.0-rc1'), 'asked v2.1.0, touched v2.1.0-rc1'],
    ['v2.1.0', id('release', 'release/v2.1.0-rc1'), 'asked 2.1.0, touched 2.1.0-rc1'],
    ['acme/lib-x@1.4.0', id('npm', 'lib-x@1.4.1'), 'asked 1.4.0, touched 1.4.1'],
    ['repo:acme', id('repo', 'acme-fork'), 'asked acme, touched acme-fork'],
    ['production', id('target', 'staging'), 'asked production, touched staging'],
    ['v12.10.30', id('npm', 'lib@12.10.31'), 'asked 12.10.30, touched 12.10.31'],
    ['v1.0.0-rc.v2', id('npm', 'lib@V1.0.0'), 'asked 1.0.0-rc.v2, touched 1.0.0'],
    ['Release:a', id('Release', 'b'), 'asked a, touched b'],
  ])('differs: asked for %s', (target, touched, difference) => {
    expect(targetDifference(target, [touched])).toBe(difference)
  })

  it.each([
    ['release/v2.1.0', id('release', 'v2.1.0')],
    ['v2.1.0', id('release', 'release/v2.1.0')],
    ['OPS', id('ticket', 'OPS-12')],
    ['tickets.example', id('ticket', 'T-1')],
    ['https://api.example/v1.2.3.4', id('charge', 'ch_1')],
    ['10.0.0.1', id('vm', 'vm-88.1.2.3')],
    ['a release/v2', id('release', 'v1')],
    ['release/v2/notes', id('release', 'v1')],
    ['release/', id('release', 'v1')],
    ['v1.0.0', id('charge', 'ch_1')],
    ['main', id('npm', 'lib@1.0.0')],
    ['1.0.0x', id('npm', 'lib@1.0.1')],
    ['release/café', id('release', 'cafe\u0301')],
    [null, id('target', 'staging')],
  ])('is not called another where the two cannot be compared, or are one: %s', (target, touched) => {
    expect(targetDifference(target, [touched])).toBeNull()
  })

  it('is the one asked for when one of several versions is', () => {
    expect(targetDifference('v2.1.0', [id('npm', 'dep@1.0.0'), id('npm', 'lib@2.1.0')])).toBeNull()
    expect(targetDifference('v2.1.0', [])).toBeNull()
    expect(targetDifference('v2.1.0', [id('job', 'x'), id('npm', 'dep@1.0.0')])).toBe(
      'asked 2.1.0, touched 1.0.0',
    )
  })
})

describe('C7: a confirmation that touched another target', () => {
  const release = { target: 'release/v2.1.0' }
  const rc = [id('release', 'v2.1.0-rc1')]
  const decision = {
    type: 'resolve_confirmed',
    reason: 'seen',
    expected_version: null,
    external_ids: rc,
    result: null,
    result_digest: null,
  } as const
  const lost = following([asked.prepare(release), asked.send(), asked.lose()])
  const byPerson = { evidence: [SEEN] }

  it('is marked when a receipt brings it', () => {
    const { operation } = following([
      asked.prepare(release),
      asked.send(),
      asked.confirm({ external_ids: rc }),
    ])
    expect(operation.flags).toEqual({ target_differs: 'asked v2.1.0, touched v2.1.0-rc1' })
  })

  it('is refused to a person who does not say so, and kept as accepted when they do', () => {
    expect(refusalOf(lost, decision, byPerson).rule).toBe('target_as_asked')
    const { operation } = moved(lost, { ...decision, other_target: true }, byPerson)
    expect(operation).toMatchObject({
      status: 'confirmed',
      flags: { accepted_target: 'asked v2.1.0, touched v2.1.0-rc1' },
    })
  })

  it('loses its mark once a person settles it for the right target', () => {
    const wrong = following([asked.prepare(release), asked.send(), asked.confirm({ external_ids: rc })])
    const open = moved(wrong, { type: 'reopen', reason: 'wrong tag', expected_version: null })
    const right = moved(open, { ...decision, external_ids: [id('release', 'v2.1.0')] }, byPerson)
    expect(right.operation.flags).toEqual({ reopened: true })
  })
})

describe('a decision without evidence', () => {
  it('is marked for good, until it is decided again with evidence', () => {
    const lost = following([asked.prepare(), asked.send(), asked.lose()])
    const said = {
      type: 'resolve_not_executed',
      reason: 'accepting the risk',
      expected_version: null,
    } as const
    const settled = moved(lost, { ...said, early: true, without_evidence: true }, { evidence: [SEEN] })
    expect(settled.operation.flags).toEqual({ early: true, without_evidence: true })
    const open = moved(settled, { type: 'reopen', reason: 'found the log', expected_version: null })
    const again = moved(open, { ...said, early: true }, { evidence: [SEEN] })
    expect(again.operation.flags).toEqual({ early: true, reopened: true })
  })
})
