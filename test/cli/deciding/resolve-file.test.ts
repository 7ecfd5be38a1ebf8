import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveDocument } from '../../../src/core/documents/resolve-schema.js'
import { contentsOf } from '../../store/support/places.js'
import { manyLost } from './many-lost.js'

const YAML = `
# reviewed by Bo
- operation_id: mail-1
  as: confirmed
  evidence: [mail log line 17, the customer answered]
  external_ids: [{ kind: message, value: m-17 }]
  result: { message: m-17 }
  reason: it was delivered
- decision_id: review-2
  operation_id: mail-2
  as: not-executed
  evidence: no line in the mail log
  reason: never left
`

const lines = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map(line => resolveDocument.parse(JSON.parse(line)))

describe('a file of decisions', () => {
  it('without --yes is a dry run: the same answers, and not a byte is written', async () => {
    const { cli, file, path, store } = await manyLost(2)
    await store.close()
    const before = contentsOf(join(path, '..'))
    const { code, out, err } = await cli(['resolve', '--file', file('d.yaml', YAML)])
    expect(code).toBe(0)
    expect(out).toBe('mail-1: would be confirmed (version 4)\nmail-2: would be not_executed (version 4)\n')
    expect(err).toContain('dry run: nothing was written')
    expect(contentsOf(join(path, '..'))).toEqual(before)
  })

  it('with --yes carries each out, one result a line', async () => {
    const { cli, file, store } = await manyLost(2)
    const { code, out, err } = await cli(['resolve', '--file', file('d.yaml', YAML), '--yes', '--json'])
    expect(code).toBe(0)
    expect(lines(out)).toMatchObject([
      {
        operation_id: 'mail-1',
        decision_id: expect.stringMatching(/^content-/),
        outcome: 'done',
        status: 'confirmed',
      },
      { operation_id: 'mail-2', decision_id: 'review-2', outcome: 'done', status: 'not_executed' },
    ])
    expect(err).toContain('2 decisions: 2 done')
    const record = await store.operation('mail-1')
    expect(record?.evidence.map(({ body }) => body)).toEqual(['mail log line 17', 'the customer answered'])
    expect(record?.operation.result).toEqual({ message: 'm-17' })
  })

  it('gives the fields asked for', async () => {
    const { cli, file } = await manyLost(2)
    const argv = ['resolve', '--file', file('d.yaml', YAML), '--jsonl', '--fields']
    const { out } = await cli([...argv, 'operation_id,outcome'])
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({
      operation_id: 'mail-1',
      outcome: 'would_be_done',
    })
    expect(out).not.toContain('decision_id')
    expect((await cli([...argv, 'nothing'])).err).toContain('The fields are decision_id')
  })

  it('carried out twice changes nothing', async () => {
    const { cli, file, store } = await manyLost(2)
    const argv = ['resolve', '--file', file('d.yaml', YAML), '--yes', '--jsonl']
    await cli(argv)
    const before = await store.events({ limit: 1000 })
    const again = await cli(argv)
    expect(again.code).toBe(0)
    expect(lines(again.out).map(({ outcome, version }) => [outcome, version])).toEqual([
      ['already', 4],
      ['already', 4],
    ])
    expect(await store.events({ limit: 1000 })).toEqual(before)
    const dry = await cli(argv.filter(word => word !== '--yes'))
    expect([dry.code, lines(dry.out).map(({ outcome }) => outcome)]).toEqual([0, ['already', 'already']])
  })

  it('is not undone by a person who reopened meanwhile', async () => {
    const { cli, file, as, statuses } = await manyLost(2)
    const argv = ['resolve', '--file', file('d.yaml', YAML), '--yes']
    await cli(argv)
    await as('bo').reopen('mail-1', { reason: 'wrong mail' })
    expect((await cli(argv)).code).toBe(0)
    expect(await statuses()).toEqual(['unknown', 'not_executed'])
  })

  it('ends with 6 when some were not done, and the others stand', async () => {
    const { cli, file, as, statuses } = await manyLost(4)
    await as('bo').abandon('mail-2', { reason: 'nobody knows' })
    const entry = (n: number, more = '') =>
      `{"operation_id": "mail-${n}", "as": "confirmed", "evidence": "seen", "reason": "there"${more}}`
    const text = [entry(1), entry(2), entry(3, ', "expect_version": 2'), entry(9), entry(4)].join('\n')
    const name = file('d.jsonl', text)
    const dry = await cli(['resolve', '--file', name, '--jsonl'])
    const real = await cli(['resolve', '--file', name, '--jsonl', '--yes'])
    expect([dry.code, real.code]).toEqual([6, 6])
    const outcomes = (out: string) => lines(out).map(({ outcome, error }) => error?.exit_code ?? outcome)
    expect(outcomes(dry.out)).toEqual(['would_be_done', 5, 5, 4, 'would_be_done'])
    expect(outcomes(real.out)).toEqual(['done', 5, 5, 4, 'done'])
    expect(await statuses()).toEqual(['confirmed', 'abandoned', 'unknown', 'confirmed'])
    const text2 = await cli(['resolve', '--file', name, '--yes'])
    expect(text2.out).toContain('mail-9: not done: there is no operation mail-9')
    expect(text2.err).toContain('5 decisions: 2 already, 3 not done')
  })

  it('takes what it leaves out from the command line, and its text from stdin', async () => {
    const { cli, statuses } = await manyLost(2)
    const stdin = '{"operation_id": "mail-1"}\n\n{"operation_id": "mail-2", "as": "not_executed"}\n'
    const defaults = ['--as', 'confirmed', '--evidence', 'mail log', '--reason', 'checked']
    const { code } = await cli(['resolve', '--file', '-', ...defaults, '--yes'], { stdin })
    expect(code).toBe(0)
    expect(await statuses()).toEqual(['confirmed', 'not_executed'])
  })

  it('is read as JSON or JSONL from stdin, by its first line', async () => {
    const { cli, statuses } = await manyLost(2)
    const [first, second] = [1, 2].map(n => `{"operation_id":"mail-${n}","as":"confirmed"}`)
    const argv = ['resolve', '--file', '-', '--evidence', 'mail log', '--reason', 'checked']
    const results = async (stdin: string) => {
      const { out, err } = await cli([...argv, '--jsonl'], { stdin })
      return out === '' ? err : lines(out).map(({ operation_id, outcome }) => `${operation_id} ${outcome}`)
    }
    const both = ['mail-1 would_be_done', 'mail-2 would_be_done']
    expect(await results(`\n${first}\n${second}`)).toEqual(both)
    expect(await results(`{"decisions":[${first},${second}]}`)).toEqual(both)
    expect(await results(`[${first},\n${second}]\n`)).toEqual(both)
    expect(await results(`${first}\n- operation_id: mail-2`)).toMatch(/line 2, column 1":"it is no JSON/)
    expect(await statuses()).toEqual(['unknown', 'unknown'])
  })

  it('may come through a pipe that has a name', async () => {
    const { cli, folder, statuses } = await manyLost(2)
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const [done] = await Promise.all([cli(['resolve', '--file', 'pipe', '--yes']), writeFile(pipe, YAML)])
    expect([done.code, await statuses()]).toEqual([0, ['confirmed', 'not_executed']])
  })

  it('takes stdin as evidence for all of them', async () => {
    const { cli, file, store } = await manyLost(2)
    const name = file('d.jsonl', '{"operation_id":"mail-1"}\n{"operation_id":"mail-2"}\n')
    const argv = [
      'resolve',
      '--file',
      name,
      '--as',
      'confirmed',
      '--evidence',
      'output:-',
      '--reason',
      'there',
    ]
    expect((await cli([...argv, '--yes'], { stdin: '250 accepted' })).code).toBe(0)
    for (const id of ['mail-1', 'mail-2'])
      expect((await store.operation(id))?.evidence.at(-1)?.body).toMatchObject({ text: '250 accepted' })
  })

  it('is refused where YAML is too long to be held, and JSONL of that length is not', async () => {
    const { cli, file } = await manyLost(1)
    const reason = 'x'.repeat(10_000)
    const entry = (n: number) => `{"operation_id":"mail-1","decision_id":"d${n}","reason":"${reason}"}`
    const entries = Array.from({ length: 840 }, (_, n) => entry(n))
    const argv = (name: string) => ['resolve', '--as', 'confirmed', '--evidence', 'x', '--file', name]
    const { code, err } = await cli(argv(file('d.yaml', entries.map(one => `- ${one}\n`).join(''))))
    expect(code).toBe(2)
    expect(err).toContain('d.yaml cannot be read: it has more than 8 MB')
    expect(err).toContain('Write it as JSONL')
    const long = await cli(argv(file('d.jsonl', entries.join('\n'))))
    expect(long.err).toContain('840 decisions: 1 would be done, 839 not done')
  })

  it('names a hundred mistakes and reads no further', async () => {
    const { cli, file } = await manyLost(1)
    const { code, err } = await cli(['resolve', '--file', file('d.jsonl', 'hello\n'.repeat(5_000))])
    expect(code).toBe(2)
    expect(err).toContain('d.jsonl has 100 mistakes, and was read no further')
    expect(err).toContain('line 100, column 1: it is no JSON')
    expect(err).not.toContain('line 101')
  })

  it('is refused where it is no UTF-8', async () => {
    const { cli, folder } = await manyLost(1)
    writeFileSync(join(folder, 'd.jsonl'), Buffer.from('\n\xff\xfe{}', 'latin1'))
    const { code, err } = await cli(['resolve', '--file', 'd.jsonl'])
    expect([code, err]).toEqual([2, expect.stringMatching(/d\.jsonl cannot be read: line 1: .*UTF-8 text/s)])
  })

  it('of which a line is wrong is carried out not at all, and every mistake is named', async () => {
    const { cli, file, statuses } = await manyLost(2)
    const bad = `- operation_id: mail-1
  as: confirmed
  evidence: seen
  reason: there
- operation_id: mail-2
  as: done
  evidense: seen
  reason: there
- as: confirmed
- mail-3
`
    const { code, err } = await cli(['resolve', '--file', file('d.yaml', bad), '--yes'])
    expect(code).toBe(2)
    expect(err).toContain('d.yaml has 4 mistakes')
    expect(err).toContain('line 6, column 7: 1.as: confirmed or not_executed is wanted')
    expect(err).toContain('line 7, column 3: 1.evidense: no such key (did you mean evidence?)')
    expect(err).toContain('line 9, column 3: 2.operation_id is missing')
    expect(err).toContain('line 10, column 3: 3: a decision is a group of keys')
    const jsonl = `{"operation_id": "mail-1", "as": "confirmed", "evidence": "x", "reason": "y"}\n{"operation_id": \n`
    const broken = await cli(['resolve', '--file', file('d.jsonl', jsonl), '--yes'])
    expect(broken.code).toBe(2)
    expect(broken.err).toContain('line 2, column 1: it is no JSON')
    expect(await statuses()).toEqual(['unknown', 'unknown'])
  })

  it.each([
    [
      'a decision without a reason',
      '- {operation_id: mail-1, as: confirmed, evidence: x}',
      'mail-1: reason is missing',
    ],
    [
      'a decision without evidence',
      '- {operation_id: mail-1, as: confirmed, reason: x}',
      'mail-1: evidence is missing',
    ],
    [
      'a decision without an outcome',
      '- {operation_id: mail-1, evidence: y, reason: x}',
      'mail-1: as is missing',
    ],
    [
      'the same decision twice',
      '- &d {operation_id: mail-1, as: confirmed, evidence: y, reason: x}\n- *d',
      'stands on line 1 already',
    ],
    ['no decisions', '[]', 'holds no decisions'],
    ['nothing', '', 'holds no decisions'],
    ['something else', 'resolve: everything', 'no such key'],
  ])('is refused for %s', async (_, text, says) => {
    const { cli, file, statuses } = await manyLost(1)
    const { code, err } = await cli(['resolve', '--file', file('d.yaml', text), '--yes'])
    expect(code).toBe(2)
    expect(err).toContain(says)
    expect(await statuses()).toEqual(['unknown'])
  })

  it('is refused when it is not there, and beside options for one operation', async () => {
    const { cli, file } = await manyLost(1)
    const missing = await cli(['resolve', '--file', 'nowhere.yaml', '--yes'])
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('nowhere.yaml cannot be read')])
    const mixed = await cli(['resolve', '--file', file('d.yaml', YAML), '--early', '--yes'])
    expect(mixed.code).toBe(2)
  })

  it('settles one operation once: a second decision on it is told in the dry run too', async () => {
    const { cli, file } = await manyLost(1)
    const twice = `- {operation_id: mail-1, as: confirmed, evidence: x, reason: a}
- {operation_id: mail-1, as: not_executed, evidence: x, reason: b}`
    const name = file('d.yaml', twice)
    for (const yes of [[], ['--yes']]) {
      const { code, out } = await cli(['resolve', '--file', name, '--jsonl', ...yes])
      expect(code).toBe(6)
      if (yes.length === 0) expect(out).toContain('the decision of line 1 settles mail-1')
      expect(lines(out)[1]).toMatchObject({ outcome: 'not_done', error: { code: 'conflict' } })
    }
  })

  it('stops between two decisions when it is told to, and goes on the next time', async () => {
    const { cli, file, statuses } = await manyLost(3)
    const text = [1, 2, 3]
      .map(n => `- {operation_id: mail-${n}, as: confirmed, evidence: x, reason: y}`)
      .join('\n')
    const name = file('d.yaml', text)
    const stop = new AbortController()
    stop.abort()
    const stopped = await cli(['resolve', '--file', name, '--yes'], { signal: stop.signal })
    expect(stopped.code).toBe(130)
    expect(stopped.err).toContain('3 of 3 were not begun')
    expect((await cli(['resolve', '--file', name, '--yes'])).code).toBe(0)
    expect(await statuses()).toEqual(['confirmed', 'confirmed', 'confirmed'])
  })
})
