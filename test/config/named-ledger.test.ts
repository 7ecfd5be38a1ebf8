import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { ledgerKey } from '../../src/config/ledger-key.js'
import { namedLedger } from '../../src/config/named-ledger.js'

describe('the quick look for `ledger:`', () => {
  it.each([
    ['ledger: runs/ledger.db', 'runs/ledger.db'],
    ['# ours\nledger:   "a b.db"   # here\ntools: {}\n', 'a b.db'],
    ["ledger: 'x.db'\r\nlease: 5s\r\n", 'x.db'],
    ['ledger: postgres://ana@db.example/agents\n', 'postgres://ana@db.example/agents'],
    ['lease: 5s\n', null],
    ['', null],
  ])('reads %j', (text, value) => {
    expect(ledgerKey(text)).toEqual({ value })
  })

  it.each([
    '{"ledger": "x.db"}',
    '"ledger": x.db',
    '? ledger\n: x.db',
    'ledger: >\n  x.db',
    'ledger: a\n  b.db',
    'ledger: &here x.db',
    'ledger: "a\\tb.db"',
    'ledger: 5',
    'ledger: null',
    'ledger:\n  x.db',
    '---\nledger: x.db',
    '  ledger: x.db',
    'ledger: x.db\nledger: y.db',
  ])('is not sure of %j', text => {
    expect(ledgerKey(text)).toBe('unsure')
  })

  it('never says something else than the whole look', () => {
    const piece = fc.constantFrom(
      ...[
        'ledger',
        ':',
        ' ',
        '\n',
        '"',
        "'",
        '#',
        'x.db',
        '  ',
        '{',
        '}',
        '---',
        '|',
        '- ',
        'a',
        '&b',
        '!',
        '\\',
        ',',
      ],
    )
    const some = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''))
    const text = fc.tuple(fc.constantFrom('', 'lease: 5s\n'), some, some).map(([before, value, after]) => {
      return `${before}ledger: ${value}\n${after}`
    })
    fc.assert(
      fc.property(text, one => {
        const quick = ledgerKey(one)
        const document = parseDocument(one)
        if (quick === 'unsure' || document.errors.length > 0) return
        const contents: unknown = document.toJS()
        const whole =
          typeof contents === 'object' && contents !== null ? Reflect.get(contents, 'ledger') : undefined
        expect(quick.value).toBe(typeof whole === 'string' ? whole.trim() : (whole ?? null))
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('the ledger a configuration names', () => {
  it('is found without reading the rest, which may be wrong', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'config-'))
    const config = join(cwd, 'agent-ledger.yaml')
    const look = () => namedLedger({ config: undefined, cwd })
    expect(await look()).toBeNull()
    writeFileSync(config, 'ledger: runs/l.db\nnonsense: 1\n')
    expect(await look()).toEqual({ ledger: join(cwd, 'runs/l.db'), config })
    writeFileSync(config, '{"ledger": "postgres://db/agents"}')
    expect(await look()).toEqual({ ledger: 'postgres://db/agents', config })
    writeFileSync(config, '{"ledger": 5}')
    await expect(look()).rejects.toMatchObject({ code: 'invalid_config', path: config })
  })
})
