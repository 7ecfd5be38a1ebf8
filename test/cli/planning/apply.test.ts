import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentsOf } from '../../store/support/places.js'
import { itemsOf, lostMails, results } from './planned.js'

const apply = (...more: readonly string[]) => ['apply', 'p.jsonl', '--yes', '--jsonl', ...more]

describe('applying a plan', () => {
  it('carries each decision out once, however often it is run', async () => {
    const ledger = await lostMails(3)
    await ledger.planAll()
    const first = await ledger.cli(apply())
    expect([first.code, results(first.out).map(({ outcome }) => outcome)]).toEqual([
      0,
      ['done', 'done', 'done'],
    ])
    expect(results(first.out)[0]).toMatchObject({
      decision: 'resolve not_executed',
      seen: { status: 'unknown', version: 3 },
      now: { status: 'not_executed', version: 4 },
      undo: expect.stringContaining('agent-ledger reopen'),
    })
    const second = await ledger.cli(apply())
    expect([second.code, results(second.out).map(({ outcome }) => outcome)]).toEqual([
      0,
      ['already', 'already', 'already'],
    ])
    expect((await ledger.operation('mail-1'))?.version).toBe(4)
    const record = await ledger.store.operation('mail-1')
    expect(record?.evidence.at(-1)?.body).toEqual({ kind: 'ticket', ticket: 'OPS-12' })
  })

  it('dry, foretells the same outcomes and writes not a byte', async () => {
    const ledger = await lostMails(3)
    await ledger.planAll()
    await ledger.as('bo').abandon('mail-2', { reason: 'meanwhile' })
    await ledger.store.close()
    const before = contentsOf(join(ledger.path, '..'))
    const dry = await ledger.cli(['apply', 'p.jsonl', '--dry-run', '--jsonl'])
    expect(contentsOf(join(ledger.path, '..'))).toEqual(before)
    const real = await ledger.cli(apply())
    expect(dry.code).toBe(real.code)
    const shape = (out: string) =>
      results(out).map(({ operation_id, outcome, now, error }) => [
        operation_id,
        outcome.replace('would_be_done', 'done'),
        now,
        error?.message,
      ])
    expect(shape(dry.out)).toEqual(shape(real.out))
  })

  it('leaves out what changed, and shows what was seen, what is now and who changed it', async () => {
    const ledger = await lostMails(2)
    await ledger.planAll()
    await ledger.as('bo').abandon('mail-1', { reason: 'meanwhile' })
    const { code, out } = await ledger.cli(apply())
    expect(code).toBe(6)
    expect(results(out)).toMatchObject([
      {
        operation_id: 'mail-1',
        outcome: 'not_done',
        seen: { status: 'unknown', version: 3 },
        now: { status: 'abandoned', version: 4 },
        changed: { what: 'abandon, now abandoned', by: 'bo', because: 'meanwhile' },
        error: { code: 'conflict' },
      },
      { operation_id: 'mail-2', outcome: 'done', changed: null },
    ])
    const text = await ledger.cli(['apply', 'p.jsonl', '--yes'])
    expect(text.out).toContain('  you saw: unknown (version 3)\n  now:     abandoned (version 4)\n')
    const log = await ledger.cli(['log', '--type', 'refused', '--jsonl'])
    expect(JSON.parse(log.out.split('\n')[0] ?? '')).toMatchObject({
      about: 'mail-1',
      rule: 'version_as_seen',
    })
  })

  it('ends with 5 where all had changed', async () => {
    const ledger = await lostMails(1)
    await ledger.planAll()
    await ledger.as('bo').abandon('mail-1', { reason: 'meanwhile' })
    expect((await ledger.cli(apply())).code).toBe(5)
  })

  it('refuses the same version of another history', async () => {
    const ledger = await lostMails(1)
    await ledger.planAll()
    const other = await lostMails(1)
    // a ledger that was restored from before and went on otherwise
    const [item] = await itemsOf(join(ledger.folder, 'p.jsonl'))
    if (item === undefined) throw new Error('the plan is empty')
    const applied = await other.as('ana').apply(item)
    expect(applied).toMatchObject({ outcome: 'not_done', error: { rule: 'as_planned' } })
    expect((await other.operation('mail-1'))?.status).toBe('unknown')
    expect((await ledger.cli(apply())).code).toBe(0)
  })

  it.each([
    [
      'an edited line',
      (text: string) => text.replace('it was down', 'it was up'),
      'line 2: the decision on mail-1',
    ],
    [
      'a line left out',
      (text: string) => text.replace(/^.*mail-2.*\n/m, ''),
      'it holds 2 decisions, 3 were written',
    ],
    ['two lines changed over', swapped, 'the digest over the whole does not fit'],
    [
      'a line twice',
      (text: string) => text.replace(/^(.*mail-2.*\n)/m, '$1$1'),
      'mail-2 is decided on line 3 already',
    ],
    [
      'the last line missing',
      (text: string) => text.replace(/\n\{"decisions.*\n$/, '\n'),
      'is cut short: it ends after line 4, and the last line, with the digest over the whole, is missing',
    ],
    [
      'the end missing from the middle of a decision on',
      (text: string) => text.slice(0, text.indexOf('mail-2')),
      /is cut short: it ends in the middle of line 3, at byte \d+, and the last line/,
    ],
    [
      'the end missing from the middle of its first line on',
      (text: string) => text.slice(0, 60),
      'it ends in the middle of line 1, at byte 60, and',
    ],
    ['its digest cut', (text: string) => text.slice(0, -20), 'it ends in the middle of line 5'],
    ['a line after the last', (text: string) => `${text}{}\n`, 'line 6: a line follows the last one'],
    ['another head', (text: string) => text.replace('flag:ana', 'flag:eve'), 'the digest over the whole'],
  ])('refuses a plan with %s as a whole', async (_, edit, says) => {
    const ledger = await lostMails(3)
    await ledger.planAll()
    const before = ledger.read('p.jsonl')
    ledger.write('p.jsonl', edit(before))
    expect(ledger.read('p.jsonl')).not.toBe(before)
    const { code, err } = await ledger.cli(['apply', 'p.jsonl', '--yes'])
    expect([code, err]).toEqual([7, expect.stringMatching(says)])
    expect(err).toMatch(/make it anew with `agent-ledger plan`/i)
    expect((await ledger.operation('mail-1'))?.status).toBe('unknown')
  })

  it.each([
    ['an empty file', '', 'line 1: it is empty'],
    ['something else', 'hello\n', 'line 1: it is no JSON'],
    ['a line of something else in the middle', `${HEAD}\nhello\n{}\n`, 'line 2: it is no JSON'],
    ['another document', '{"schema":"agent-ledger/list@1"}\n', 'line 1: schema'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x0a]), 'is no plan'],
  ])('says that %s is no plan', async (_, content, says) => {
    const ledger = await lostMails(1)
    ledger.write('p.jsonl', content as string)
    const { code, err } = await ledger.cli(['apply', 'p.jsonl', '--yes'])
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })

  it('is held to the digest and the number that were looked at', async () => {
    const ledger = await lostMails(1)
    const { err } = await ledger.planAll()
    const digest = /digest (\S+);/.exec(err)?.[1] ?? ''
    expect((await ledger.cli(apply('--digest', `sha256:${'0'.repeat(64)}`))).code).toBe(5)
    expect((await ledger.cli(apply('--expect', '2'))).code).toBe(5)
    expect((await ledger.cli(apply('--digest', digest, '--expect', '1'))).code).toBe(0)
  })

  it('refuses the plan of another ledger', async () => {
    const [ledger, other] = [await lostMails(1), await lostMails(1)]
    await ledger.planAll()
    const { code, err } = await other.cli(['apply', join(ledger.folder, 'p.jsonl'), '--yes'])
    expect([code, err]).toEqual([7, expect.stringContaining('was made of another ledger')])
  })

  it('asks for the code on a terminal, shows what it would do, and refuses without a terminal', async () => {
    const ledger = await lostMails(2)
    await ledger.planAll()
    expect((await ledger.cli(['apply', 'p.jsonl'])).code).toBe(2)
    const no = await ledger.cli(['apply', 'p.jsonl'], { answers: ['y'] })
    expect([no.code, no.err]).toEqual([
      130,
      expect.stringContaining('mail-2  unknown → resolve not_executed'),
    ])
    const yes = await ledger.cli(['apply', 'p.jsonl'], { answers: [], onAsk: async () => undefined })
    expect(yes.code).toBe(0)
  })

  it('stops between two decisions when it is told to, and goes on when it is run again', async () => {
    const ledger = await lostMails(3)
    await ledger.planAll()
    const stop = new AbortController()
    stop.abort()
    const { code, err } = await ledger.cli(apply(), { signal: stop.signal })
    expect([code, err]).toEqual([130, expect.stringContaining('3 of 3 were not begun; run it again')])
    expect((await ledger.cli(apply())).code).toBe(0)
  })

  it('carries the other decisions too', async () => {
    const ledger = await lostMails(4)
    await ledger.as('bo').resolve('mail-4', { as: 'confirmed', evidence: ['log'], reason: 'there' })
    const lines: string[] = []
    for (const [decision, id, ...more] of [
      ['abandon', 'mail-1'],
      ['cancel', 'mail-2'],
      ['allow-retry', 'mail-3', '--accept-duplicate', 'two mails'],
      ['reopen', 'mail-4'],
    ] as const) {
      await ledger.cli(['plan', decision, id, ...more, '--reason', 'r', '--output', 'p.jsonl', '--yes'])
      const { code, out } = await ledger.cli(apply())
      lines.push(`${code} ${results(out).map(({ operation_id, now }) => `${operation_id} ${now?.status}`)}`)
      expect(results((await ledger.cli(apply())).out)[0]?.outcome).toBe('already')
    }
    expect(lines).toEqual(['0 mail-1 abandoned', '0 mail-2 unknown', '0 mail-3 prepared', '0 mail-4 unknown'])
  })
})

const HEAD =
  '{"schema":"agent-ledger/plan@1","ledger_id":"x","made_at":"2026-01-01T00:00:00.000Z","made_by":"a"}'

function swapped(text: string): string {
  const [head, first, second, ...rest] = text.split('\n')
  return [head, second, first, ...rest].join('\n')
}
