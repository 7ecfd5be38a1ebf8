import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseLocation, shownLocation } from '../../src/store/location.js'
import { createStore, openStore, openStoreForReading } from '../../src/store/open.js'
import { NOON, stampAt } from '../core/builders.js'

describe('the name of a ledger', () => {
  it.each([
    ['ledger.db', resolve('ledger.db')],
    ['/var/lib/ledger.db', '/var/lib/ledger.db'],
    ['./a b/ledger.db', resolve('a b/ledger.db')],
    ['12:30.db', resolve('12:30.db')],
    ['file:ledger.db', resolve('ledger.db')],
    ['file:a%20b.db', resolve('a b.db')],
    ['file:///var/lib/a%20b.db', '/var/lib/a b.db'],
    ['file://localhost/var/lib/ledger.db', '/var/lib/ledger.db'],
  ])('%s is a file', (text, path) => {
    expect(parseLocation(text)).toEqual({ engine: 'sqlite', path })
  })

  it.each(['postgresql://ana:secret@127.0.0.1:1/ledger', 'postgres://db/ledger', 'POSTGRESQL://db/ledger'])(
    '%s is a PostgreSQL schema',
    url => {
      expect(parseLocation(url)).toEqual({ engine: 'postgresql', url })
    },
  )

  it.each(['', 'https://example.org/ledger.db', 'mysql://db/x', 'file://server/share/ledger.db', 'file:%zz'])(
    '%j names none',
    text => {
      expect(() => parseLocation(text)).toThrow(expect.objectContaining({ code: 'usage' }))
    },
  )

  it('is shown without its password', () => {
    const shown = shownLocation(parseLocation('postgresql://ana:secret@127.0.0.1:1/ledger'))
    expect(shown).toContain('ana')
    expect(shown).not.toContain('secret')
    expect(shownLocation(parseLocation('postgres://[broken:secret@'))).not.toContain('secret')
  })

  it.each([
    'p@secret:w/secret#?%&',
    '12/secret',
    's?secret',
    's#secret',
    's?e=secret',
    'se:secret@',
    'a\nsecret',
  ])('is shown without a password that was typed as it is: %j', password => {
    const shown = shownLocation(parseLocation(`postgresql://ana:${password}@db.example:5432/ops?schema=of`))
    expect(shown).toBe('postgresql://ana@db.example:5432/ops?schema=of')
  })

  it.each([
    'postgresql://ana@/x?host=%2Ftmp',
    'postgresql://ana@[::1]:5432/x',
    'postgresql://db/x?user=ana@corp&schema=y',
    'postgresql:///x',
    'postgresql://ana@one,two/x',
  ])('is shown as it is where it holds no password: %s', url => {
    expect(shownLocation(parseLocation(url))).toBe(url)
  })
})

describe('a PostgreSQL ledger', () => {
  const url = 'postgresql://ana:secret@127.0.0.1:1/ledger'
  const options = { url, clock: () => stampAt(NOON), program: 'a test', waitMs: 100 }

  it('is a server that must be there', async () => {
    const refusal = expect.objectContaining({ code: 'ledger_unreadable', exitCode: 3 })
    await expect(createStore(options)).rejects.toMatchObject({ exitCode: 3 })
    await expect(openStore(options)).rejects.toThrow(refusal)
    await expect(openStoreForReading(options)).rejects.toThrow(refusal)
  })

  it('shows no password in its errors', async () => {
    const error: unknown = await openStore(options).catch((caught: unknown) => caught)
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })
})
