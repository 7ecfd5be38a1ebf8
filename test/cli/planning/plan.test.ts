import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planDocument } from '../../../src/core/documents/plan-schema.js'
import { contentsOf } from '../../store/support/places.js'
import { lostMails, SETTLED } from './planned.js'

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => planDocument.parse(JSON.parse(line)))

describe('a plan', () => {
  it('freezes decisions on all that is chosen, and leaves the ledger as it was to the byte', async () => {
    const ledger = await lostMails(3)
    await ledger.store.close()
    const before = contentsOf(join(ledger.path, '..'))
    const { code, err } = await ledger.planAll()
    expect(code).toBe(0)
    expect(err).toContain('3 decisions in p.jsonl; digest sha256:')
    expect(err).toContain('agent-ledger apply --dry-run p.jsonl')
    expect(contentsOf(join(ledger.path, '..'))).toEqual(before)
    const [head, first, , , end] = linesOf(ledger.read('p.jsonl'))
    expect(head).toMatchObject({ schema: 'agent-ledger/plan@1', made_by: 'flag:ana' })
    expect(first).toMatchObject({
      operation_id: 'mail-1',
      decision: {
        type: 'resolve',
        as: 'not_executed',
        evidence: [{ kind: 'ticket', ticket: 'OPS-12' }],
        reason: 'it was down',
      },
      seen: { status: 'unknown', version: 3 },
      about: { task_id: 'news' },
    })
    expect(end).toMatchObject({ decisions: 3 })
    expect(statSync(join(ledger.folder, 'p.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('made twice of the same ledger holds the same decisions under the same ids', async () => {
    const ledger = await lostMails(2)
    await ledger.planAll('a.jsonl')
    await ledger.planAll('b.jsonl')
    const decisions = (name: string) => ledger.read(name).split('\n').slice(1, -2)
    expect(decisions('a.jsonl')).toEqual(decisions('b.jsonl'))
  })

  it('goes to stdout without --output', async () => {
    const ledger = await lostMails(1)
    const { code, out } = await ledger.cli(['plan', 'abandon', 'mail-1', '--reason', 'nobody knows'])
    expect(code).toBe(0)
    expect(linesOf(out)[1]).toMatchObject({ decision: { type: 'abandon', reason: 'nobody knows' } })
  })

  it('is made of a file of decisions, each with the id it has there', async () => {
    const ledger = await lostMails(2)
    ledger.write(
      'd.yaml',
      '- {operation_id: mail-2, decision_id: review-2, as: confirmed, evidence: "log line 17", reason: it is there, result: {id: 7}}\n- {operation_id: mail-1, as: not-executed, evidence: none in the log, reason: never left}\n',
    )
    const { code } = await ledger.cli(['plan', '--from-file', 'd.yaml', '--output', 'p.jsonl'])
    expect(code).toBe(0)
    expect(linesOf(ledger.read('p.jsonl')).slice(1, 3)).toMatchObject([
      { decision_id: 'review-2', operation_id: 'mail-2', decision: { result: { id: 7 } } },
      { decision_id: expect.stringMatching(/^content-/), operation_id: 'mail-1' },
    ])
  })

  it('leaves out what would be refused now, tells it, and ends with 6; with nothing left it makes none', async () => {
    const ledger = await lostMails(1)
    const some = await ledger.cli([
      'plan',
      'resolve',
      'mail-1',
      'mail-9',
      'mail-1',
      ...SETTLED,
      '--output',
      'p.jsonl',
    ])
    expect(some.code).toBe(6)
    expect(some.err).toContain('left out: mail-9: there is no operation mail-9')
    expect(some.err).toContain('left out: mail-1: it is decided before in this plan')
    expect(linesOf(ledger.read('p.jsonl'))).toHaveLength(3)
    const none = await ledger.cli(['plan', 'reopen', 'mail-1', '--reason', 'r', '--output', 'q.jsonl'])
    expect([none.code, existsSync(join(ledger.folder, 'q.jsonl'))]).toEqual([7, false])
  })

  it('masks secrets in evidence and reason', async () => {
    const ledger = await lostMails(1)
    const said = 'curl said token=ghp_0123456789abcdefghijABCDEFGHIJ012345'
    await ledger.cli([
      'plan',
      'resolve',
      'mail-1',
      '--as',
      'confirmed',
      '--evidence',
      said,
      '--reason',
      said,
      '--output',
      'p.jsonl',
    ])
    expect(ledger.read('p.jsonl')).not.toContain('ghp_0123456789')
    expect((await ledger.cli(['apply', 'p.jsonl', '--yes'])).code).toBe(0)
  })

  it.each([
    ['no decision', [], 2],
    ['a decision on nothing', ['resolve', ...SETTLED], 2],
    ['operations and a choice', ['abandon', 'mail-1', '--unknown', '--reason', 'r'], 2],
    ['a file and a decision', ['abandon', 'mail-1', '--from-file', 'd.yaml'], 2],
    ['options of another decision', ['abandon', 'mail-1', '--as', 'confirmed', '--reason', 'r'], 2],
    ['no evidence', ['resolve', 'mail-1', '--as', 'confirmed', '--reason', 'r'], 2],
    [
      'the … of a pasted line as evidence',
      ['resolve', 'mail-1', '--as', 'confirmed', '--evidence', '…', '--reason', 'r'],
      2,
    ],
    ['no reason', ['abandon', 'mail-1'], 2],
    ['another number than expected', ['resolve', '--unknown', ...SETTLED, '--expect', '4'], 5],
    ['a choice that nothing fits', ['resolve', '--tool', 'nope', ...SETTLED], 4],
    ['a task that is not there', ['resolve', '--task', 'nope', ...SETTLED], 4],
  ])('is refused for %s', async (_, argv, code) => {
    const ledger = await lostMails(1)
    expect((await ledger.cli(['plan', ...argv])).code).toBe(code)
  })

  it('replaces a file only after a yes, and leaves it as it was where none is made', async () => {
    const ledger = await lostMails(1)
    ledger.write('p.jsonl', 'mine\n')
    expect((await ledger.planAll()).code).toBe(2)
    const failed = [
      'plan',
      'resolve',
      '--unknown',
      ...SETTLED,
      '--expect',
      '9',
      '--output',
      'p.jsonl',
      '--yes',
    ]
    expect((await ledger.cli(failed)).code).toBe(5)
    expect(ledger.read('p.jsonl')).toBe('mine\n')
    expect(existsSync(join(ledger.folder, 'p.jsonl.new'))).toBe(false)
  })
})
