import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'
import { open } from './opened.js'

const sha = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

async function resolved(evidence: string, given: { readonly stdin?: string } = {}) {
  const ledger = await open()
  await ledger.lost()
  const folder = aDirectory()
  writeFileSync(join(folder, 'mail.log'), 'no line of it\n')
  mkdirSync(join(folder, 'logs'))
  const argv = ['resolve', 'ticket-1', '--as', 'confirmed', '--evidence', evidence, '--reason', 'r', '--yes']
  const ended = await ledger.cli(argv, { cwd: folder, ...given })
  const record = await ledger.store.operation('ticket-1')
  return { ...ended, cli: ledger.cli, body: record?.evidence.at(-1)?.body, status: record?.operation.status }
}

describe('evidence that a person gives', () => {
  it.each([
    ['a link', 'https://tickets.example/T-1', { kind: 'url', url: 'https://tickets.example/T-1' }],
    ['a ticket', 'ticket:OPS-12', { kind: 'ticket', ticket: 'OPS-12' }],
    [
      'a file',
      'file:mail.log',
      { kind: 'file', path: 'mail.log', digest: sha('no line of it\n'), bytes: 14 },
    ],
    [
      'an output',
      'output:mail.log',
      {
        kind: 'output',
        from: 'mail.log',
        text: 'no line of it\n',
        digest: sha('no line of it\n'),
        bytes: 14,
      },
    ],
    ['words', 'I saw it', 'I saw it'],
    ['words that begin like a file', 'text:file:it is there', 'file:it is there'],
    ['words with a colon', 'ticket: none', 'ticket: none'],
  ])('is kept as %s', async (_, evidence, expected) => {
    const { code, body } = await resolved(evidence)
    expect([code, body]).toEqual([0, expected])
  })

  it('may be what another program prints', async () => {
    const { body } = await resolved('output:-', { stdin: 'pod/web Running\n' })
    expect(body).toMatchObject({ kind: 'output', from: 'stdin', text: 'pod/web Running\n' })
  })

  it('keeps the beginning of a long output and the digest of all of it', async () => {
    const long = 'x'.repeat(100_000)
    const { body } = await resolved('output:-', { stdin: long })
    expect(body).toMatchObject({ text: 'x'.repeat(4_000), digest: sha(long), bytes: 100_000 })
  })

  it.each([
    ['a file that is not there', 'file:nope.log', 'the evidence nope.log cannot be read'],
    ['a folder', 'file:logs', 'the evidence logs cannot be read: it is no file'],
    ['an empty output', 'output:-', 'the evidence stdin cannot be read: it is empty'],
  ])('is refused for %s, and nothing is decided', async (_, evidence, says) => {
    const { code, err, status } = await resolved(evidence)
    expect([code, err, status]).toEqual([2, expect.stringContaining(says), 'unknown'])
  })

  it('has its secrets masked, and its digest not', async () => {
    const text = 'curl -H "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345"'
    const { body, cli } = await resolved('output:-', { stdin: text })
    expect(JSON.stringify(body)).not.toContain('ghp_0123')
    expect(body).toMatchObject({ digest: sha(text) })
    expect((await cli(['show', 'ticket-1'])).out).toContain(
      `output of stdin, ${text.length} bytes, ${sha(text)}`,
    )
  })
})

describe('a file of decisions', () => {
  it('takes the same kinds, and the … of a pasted line for none', async () => {
    const ledger = await open()
    await ledger.lost()
    const folder = aDirectory()
    writeFileSync(
      join(folder, 'a.yaml'),
      '- {operation_id: ticket-1, as: confirmed, evidence: "…", reason: r}\n',
    )
    const refused = await ledger.cli(['resolve', '--file', 'a.yaml'], { cwd: folder })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('evidence is missing')])
    writeFileSync(
      join(folder, 'b.yaml'),
      '- {operation_id: ticket-1, as: confirmed, evidence: "ticket:T-1", reason: "…"}\n',
    )
    const reasonless = await ledger.cli(['resolve', '--file', 'b.yaml'], { cwd: folder })
    expect([reasonless.code, reasonless.err]).toEqual([2, expect.stringContaining('reason is missing')])
    const named = ['resolve', '--file', 'b.yaml', '--reason', 'it is there', '--yes']
    expect((await ledger.cli(named, { cwd: folder })).code).toBe(0)
    const record = await ledger.store.operation('ticket-1')
    expect(record?.evidence.at(-1)?.body).toEqual({ kind: 'ticket', ticket: 'T-1' })
  })

  it('that is not there is named once', async () => {
    const ledger = await open()
    const { code, err } = await ledger.cli(['resolve', '--file', '/nope/d.yaml'])
    expect([code, err.split('/nope/d.yaml').length - 1]).toEqual([2, 1])
  })
})

describe('without a terminal', () => {
  it.each([
    ['resolve', ['resolve', 'nope', '--as', 'confirmed']],
    ['reopen', ['reopen', 'nope']],
    ['abandon', ['abandon', 'nope', '--yes']],
    ['allow-retry', ['allow-retry', 'nope']],
    ['cancel', ['cancel', 'nope']],
    ['compensate', ['compensate', 'nope']],
    ['defer', ['defer', 'nope', '--until', '1h']],
    ['takeover', ['takeover', 'nope']],
  ])('%s says that there is no such thing before it asks for --yes or a reason', async (_, argv) => {
    const ledger = await open()
    await ledger.lost()
    const { code, err } = await ledger.cli(argv)
    expect([code, err]).toEqual([4, expect.stringContaining('nope')])
    expect((await runCli([...argv, '--ledger', '/nope/ledger.db'])).code).toBe(3)
  })
})

describe('a decision that the person declines', () => {
  it.each([
    ['one', ['abandon', 'ticket-1', '--reason', 'r'], { decision: 'abandon' }],
    ['many', ['abandon', '--unknown', '--reason', 'r'], { decision: 'abandon', operations: ['ticket-1'] }],
    ['the leave to send', ['revoke', 'ticket-1', '--reason', 'r'], { decision: 'revoke', id: 'ticket-1' }],
  ])('stands on record: %s', async (_, argv, body) => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli(argv, { answers: ['no'] })).code).toBe(130)
    const { out } = await ledger.cli(['log', '--type', 'declined', '--jsonl'])
    expect(JSON.parse(out)).toMatchObject({ type: 'declined', actor: 'flag:ana', body })
  })

  it.each([
    [['abandon', 'ticket-1'], { decision: 'abandon', left_out: '--reason' }],
    [['resolve', 'ticket-1', '--as', 'confirmed'], { decision: 'resolve_confirmed', left_out: '--evidence' }],
    [
      ['resolve', 'ticket-1', '--as', 'not-executed', '--evidence', 'e'],
      { decision: 'resolve_not_executed', left_out: '--reason' },
    ],
    [['abandon', '--unknown'], { decision: 'abandon', left_out: '--reason' }],
  ])('stands on record where the answer is left empty: %j', async (argv, body) => {
    const ledger = await open()
    await ledger.lost()
    expect((await ledger.cli(argv, { answers: [''] })).code).toBe(130)
    const { out } = await ledger.cli(['log', '--type', 'declined', '--jsonl'])
    expect(JSON.parse(out)).toMatchObject({ type: 'declined', actor: 'flag:ana', body })
  })
})
