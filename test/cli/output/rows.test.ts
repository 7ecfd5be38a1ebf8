import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { command, entry } from '../../../src/cli/command.js'
import type { Deps } from '../../../src/cli/deps.js'
import { printRows } from '../../../src/cli/output/rows.js'
import type { Column } from '../../../src/cli/output/table.js'
import { words } from '../../../src/core/safe-text.js'
import { runCli } from '../fake-io.js'

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
    {
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
    },
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

  it('lets only its own row run over the edge where an id is too long, and never cuts it', async () => {
    const long = 'step/'.repeat(9)
    const given = [...rows, { id: long, status: 'unknown', note: 'reset', ids: [] }]
    const { out } = await runCli(['rows', '--no-color'], { entries: listing(given), terminal: 40 })
    expect(out).toBe(
      `id    status    note\nop-1  unknown   socket hang up after th…\nop-2  prepared  \n${long}  unknown   reset\n`,
    )
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
