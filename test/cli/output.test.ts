import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { command, entry } from '../../src/cli/command.js'
import type { Deps } from '../../src/cli/deps.js'
import { printDocument } from '../../src/cli/output/document.js'
import { layOut, type Room } from '../../src/cli/output/layout.js'
import { printRows } from '../../src/cli/output/rows.js'
import type { Column } from '../../src/cli/output/table.js'
import { createTimes } from '../../src/cli/output/times.js'
import { cutTo, pad, widthOf } from '../../src/cli/output/width.js'
import { safe, words } from '../../src/core/safe-text.js'
import { NOON, runCli } from './fake-io.js'

type Row = { id: string; status: string; note: string | null; ids: string[] }

const columns: readonly Column<Row>[] = [
  { heading: 'id', cell: row => row.id, rank: 0 },
  { heading: 'status', cell: row => row.status, rank: 1, paint: (text, _, paint) => paint.doubt(text) },
  { heading: 'note', cell: row => row.note ?? '', rank: 2, least: 8 },
]
const rows: readonly Row[] = [
  { id: 'op-1', status: 'unknown', note: 'socket hang up after thirty seconds', ids: ['T-1'] },
  { id: 'op-2', status: 'prepared', note: null, ids: [] },
]
const listing = (given: Iterable<Row> = rows) => [
  entry(
    command({
      name: 'rows',
      chapter: 'Look',
      summary: 'rows',
      args: {},
      options: {},
      fields: ['id', 'status', 'note', 'ids'],
      examples: [{ line: 'agent-ledger rows', does: 'rows' }],
    }),
    async () => ({
      run: async (_: unknown, deps: Deps) => {
        await printRows(
          {
            schema: 'rows@1',
            ledger: '/l.db',
            name: 'items',
            rows: given,
            fields: ['id', 'status', 'note', 'ids'],
            columns,
            empty: words`nothing needs a person`,
            rest: () => ({ left_out: 3 }),
            remarks: () => [words`${3} more, see --limit`],
          },
          deps,
        )
        return 0
      },
    }),
  ),
]

describe('a list', () => {
  it('is tab-separated through a pipe, whole, with one heading line', async () => {
    const { out, err } = await runCli(['rows'], { entries: listing() })
    expect(out).toBe(
      'id\tstatus\tnote\nop-1\tunknown\tsocket hang up after thirty seconds\nop-2\tprepared\t\n',
    )
    expect(err).toBe('3 more, see --limit\n')
  })

  it('is a table on a terminal', async () => {
    const { out } = await runCli(['rows', '--no-color'], { entries: listing(), terminal: 80 })
    expect(out).toBe(
      'id    status    note\nop-1  unknown   socket hang up after thirty seconds\nop-2  prepared  \n',
    )
  })

  it('is coloured on a terminal that wants colour, and never changes its words', async () => {
    const { out } = await runCli(['rows'], { entries: listing(), terminal: 80 })
    expect(out).toContain('\u001b[33munknown \u001b[39m')
    const plain = await runCli(['rows', '--no-color'], { entries: listing(), terminal: 80 })
    expect(out.replace(/\u001b\[\d+m/g, '')).toBe(plain.out)
  })

  it('cuts and leaves out columns on a narrow terminal, and says so', async () => {
    const narrow = await runCli(['rows', '--no-color'], { entries: listing(), terminal: 30 })
    expect(narrow.out).toBe('id    status    note\nop-1  unknown   socket hang u…\nop-2  prepared  \n')
    const tiny = await runCli(['rows', '--no-color'], { entries: listing(), terminal: 14 })
    expect(tiny.out).toBe('id    status\nop-1  unknown\nop-2  prepared\n')
    expect(tiny.err).toContain('columns left out at this width: note; --fields or a pipe shows them')
    for (const line of [narrow.out, tiny.out].join('').split('\n'))
      expect(line.length).toBeLessThanOrEqual(30)
  })

  it('is one document with --json', async () => {
    const { out, err } = await runCli(['rows', '--json'], { entries: listing(), terminal: 80 })
    expect(JSON.parse(out)).toEqual({
      schema: 'agent-ledger/rows@1',
      ledger: '/l.db',
      as_of: '2026-03-01T12:00:00.000Z',
      items: rows,
      left_out: 3,
    })
    expect(err).toBe('')
  })

  it('is an empty list in a document without rows', async () => {
    expect(JSON.parse((await runCli(['rows', '--json'], { entries: listing([]) })).out)).toMatchObject({
      items: [],
      left_out: 3,
    })
  })

  it('is one object a line with --jsonl', async () => {
    const { out } = await runCli(['rows', '--jsonl'], { entries: listing() })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(rows)
  })

  it('shows the fields asked for, in their order, in every form', async () => {
    const asked = ['rows', '--fields', 'ids,id']
    expect((await runCli(asked, { entries: listing() })).out).toBe('ids\tid\n["T-1"]\top-1\n[]\top-2\n')
    expect((await runCli([...asked, '--jsonl'], { entries: listing() })).out).toBe(
      '{"ids":["T-1"],"id":"op-1"}\n{"ids":[],"id":"op-2"}\n',
    )
    expect(JSON.parse((await runCli([...asked, '--json'], { entries: listing() })).out).items).toEqual([
      { ids: ['T-1'], id: 'op-1' },
      { ids: [], id: 'op-2' },
    ])
  })

  it('refuses a field it does not have and lists those it has', async () => {
    const { code, out, err } = await runCli(['rows', '--fields', 'id,staus'], { entries: listing() })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('there is no field "staus" (did you mean status?)')
    expect(err).toContain('The fields are id, status, note, ids.')
  })

  it('says so when there is nothing, on stdout to a person and on stderr through a pipe', async () => {
    expect((await runCli(['rows'], { entries: listing([]), terminal: 80 })).out).toBe(
      'nothing needs a person\n',
    )
    const piped = await runCli(['rows'], { entries: listing([]) })
    expect(piped).toMatchObject({
      out: 'id\tstatus\tnote\n',
      err: 'nothing needs a person\n3 more, see --limit\n',
    })
    expect((await runCli(['rows', '--quiet'], { entries: listing([]) })).err).toBe('')
  })

  it('stops reading rows once nobody reads the output', async () => {
    for (const form of [[], ['--jsonl'], ['--json']]) {
      let read = 0
      const endless = (function* () {
        for (;;) yield { id: `op-${read++}`, status: 'unknown', note: 'x'.repeat(1000), ids: [] }
      })()
      expect((await runCli(['rows', ...form], { entries: listing(endless), takes: 2 })).code).toBe(0)
      expect(read).toBeLessThan(1_000)
    }
  })

  it('sets any number of rows to the widths of the first', async () => {
    const many = Array.from({ length: 450 }, (_, i) => ({
      id: `op-${i}`,
      status: 'unknown',
      note: 'n',
      ids: [],
    }))
    const { out } = await runCli(['rows', '--no-color'], { entries: listing(many), terminal: 80 })
    expect(out.trimEnd().split('\n')).toHaveLength(451)
    expect(out).toContain('\nop-449  unknown  n\n')
  })

  it('lets no control character, no forged row and no secret through, in any form', async () => {
    const secret = 'ghp_9f3Kq7Zt2LmX8vWc4RbN6yHd1PsJ5gTa0eUo'
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom(
              '\u001b[2J',
              '\u001b]52;c;eA==\u0007',
              '\n',
              '\r',
              '\u202e',
              '\u009b',
              '\t',
              ` ${secret} `,
            ),
          ),
          { maxLength: 8 },
        ),
        fc.constantFrom<readonly string[]>([], ['--json'], ['--jsonl'], ['--fields', 'note,id']),
        fc.constantFrom(undefined, 40, 120),
        async (parts, form, terminal) => {
          const hostile = parts.join('')
          const given = [{ id: hostile, status: hostile, note: hostile, ids: [hostile] }]
          const shape = terminal === undefined ? {} : { terminal }
          const { out } = await runCli(['rows', '--no-color', ...form], { entries: listing(given), ...shape })
          expect(out.replace(/[\n\t]/g, '')).not.toMatch(
            /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
          )
          expect(out).not.toContain('9f3Kq7Zt2L')
          if (form[0] !== '--json') expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('gives back in JSON what was put in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async text => {
        const given = [{ id: text, status: 'unknown', note: null, ids: [] }]
        const { out } = await runCli(['rows', '--jsonl'], { entries: listing(given) })
        expect(JSON.parse(out).id).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a document', () => {
  const showing = [
    entry(
      command({
        name: 'show',
        chapter: 'Look',
        summary: 'one',
        args: {},
        options: {},
        fields: ['a', 'b'],
        examples: [{ line: 'agent-ledger show', does: 'one' }],
      }),
      async () => ({
        run: async (_: unknown, deps: Deps) => {
          const text = () => words`a is ${deps.times.exact(NOON)}, ${deps.times.relative(NOON - 4_000_000)}`
          await printDocument(
            { schema: 'show@1', ledger: '/l.db', body: { a: 1, b: 'x' }, fields: ['a', 'b'], text },
            deps,
          )
          return 0
        },
      }),
    ),
  ]

  it('is text for people, with times in the zone asked for', async () => {
    expect((await runCli(['show'], { entries: showing })).out).toBe(
      'a is 2026-03-01T12:00:00.000Z, 1h 6m ago\n',
    )
    expect((await runCli(['show', '--tz', 'Asia/Kolkata'], { entries: showing })).out).toContain(
      '2026-03-01T17:30:00.000+05:30',
    )
  })

  it('is JSON with --json, on one line with --jsonl, with the fields chosen', async () => {
    const head = { schema: 'agent-ledger/show@1', ledger: '/l.db', as_of: '2026-03-01T12:00:00.000Z' }
    expect(JSON.parse((await runCli(['show', '--json'], { entries: showing })).out)).toEqual({
      ...head,
      a: 1,
      b: 'x',
    })
    const line = (await runCli(['show', '--jsonl', '--fields', 'b'], { entries: showing })).out
    expect(line).toBe(`${JSON.stringify({ ...head, b: 'x' })}\n`)
  })
})

describe('times', () => {
  it('follow the rules of the zone, summer and winter', () => {
    const berlin = createTimes('Europe/Berlin', NOON)
    expect(berlin.exact(Date.parse('2026-07-01T00:00:00Z'))).toBe('2026-07-01T02:00:00.000+02:00')
    expect(berlin.exact(Date.parse('2026-01-01T23:30:00Z'))).toBe('2026-01-02T00:30:00.000+01:00')
    expect(createTimes('America/St_Johns', NOON).exact(NOON)).toBe('2026-03-01T08:30:00.000-03:30')
    expect(createTimes('UTC', NOON).exact(NOON)).toBe('2026-03-01T12:00:00.000Z')
  })

  it('are said as people say them, before and after now', () => {
    const { relative } = createTimes(undefined, NOON)
    expect([5_000, 90_000, 3_600_000, 100_000_000, 30 * 86_400_000].map(age => relative(NOON - age))).toEqual(
      ['5s ago', '1m ago', '1h ago', '1d 3h ago', '30d ago'],
    )
    expect(relative(NOON + 12_000)).toBe('in 12s')
  })
})

describe('widths', () => {
  it('count columns, not characters', () => {
    expect(['abc', 'größe', '部署', '👩‍💻', 'e\u0301', '␛[2J', ''].map(text => widthOf(safe(text)))).toEqual([
      3, 5, 4, 2, 1, 4, 0,
    ])
  })

  it('are kept by cutting and filling up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        const shown = safe(text)
        expect(widthOf(cutTo(shown, columns))).toBeLessThanOrEqual(columns)
        expect(widthOf(pad(cutTo(shown, columns), columns, 'right'))).toBe(columns)
        if (widthOf(shown) <= columns) expect(cutTo(shown, columns)).toBe(shown)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of a table fit the terminal whenever what must stay fits', () => {
    const room = fc.record({
      natural: fc.integer({ min: 1, max: 60 }),
      least: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      rank: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.array(room, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 10, max: 150 }),
        (rooms, columns) => {
          const given: Room[] = rooms.map(({ least, ...rest }) =>
            least === undefined ? rest : { ...rest, least },
          )
          const { widths, leftOut } = layOut(given, columns)
          const total = [...widths.values()].reduce((a, b) => a + b, 0) + 2 * (widths.size - 1)
          const mustStay = given.filter(one => one.rank === 0)
          const leastOfAll =
            mustStay.reduce((sum, one) => sum + Math.min(one.natural, one.least ?? one.natural), 0) +
            2 * (mustStay.length - 1)
          if (mustStay.length > 0 && leastOfAll <= columns) expect(total).toBeLessThanOrEqual(columns)
          expect(widths.size + leftOut.length).toBe(rooms.length)
          for (const i of leftOut) expect(given[i]?.rank).toBeGreaterThan(0)
          for (const [i, width] of widths) {
            expect(width).toBeLessThanOrEqual(given[i]?.natural ?? 0)
            if (given[i]?.least === undefined) expect(width).toBe(given[i]?.natural)
          }
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
