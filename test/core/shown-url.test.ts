import { describe, expect, it } from 'vitest'
import { isRemote, shownUrl, storeOf } from '../../src/core/shown-url.js'

it.each([
  ['postgresql://host/db', true],
  ['POSTGRES://host', true],
  ['a+b.c-1://x', true],
  ['c:/ledger.db', false],
  ['x://y', false],
  ['c:\\ledger.db', false],
  ['/var/postgresql://x', false],
  ['ledger.db', false],
])('%s is remote: %s', (location, remote) => {
  expect(isRemote(location)).toBe(remote)
})

describe('a URL that is shown', () => {
  it.each([
    ['postgresql://ana:secret@host/db', 'postgresql://ana:***@host/db'],
    ['postgresql://ana:sec@ret@host/db', 'postgresql://ana:***@host/db'],
    ['postgresql://:secret@host', 'postgresql://:***@host'],
    ['postgresql://ana@host/db', 'postgresql://ana@host/db'],
    ['postgresql://host/db?password=secret&a=1', 'postgresql://host/db?password=***&a=1'],
    ['postgresql://host/db?a=1&sslpassword=secret', 'postgresql://host/db?a=1&sslpassword=***'],
    ['postgresql://host/db?a=1&Password=secret', 'postgresql://host/db?a=1&Password=***'],
    ['postgresql://host/db?password=a&password=b', 'postgresql://host/db?password=***&password=***'],
    ['POSTGRESQL://ana:se\ncret@host', 'POSTGRESQL://ana:***@host'],
    ['/var/a:b@c', '/var/a:b@c'],
    ['see postgresql://ana:x@host', 'see postgresql://ana:x@host'],
  ])('%j hides its passwords: %j', (url, shown) => {
    expect(shownUrl(url)).toBe(shown)
  })
})

describe('a store', () => {
  it.each([
    ['postgresql://ana:x@host:5432/db', 'postgresql://host:5432/db?'],
    ['postgres://ben@host:5432/db', 'postgresql://host:5432/db?'],
    ['POSTGRES://host:5432/db', 'postgresql://host:5432/db?'],
    ['postgresql:///db?host=/run&sslmode=off&port=1', 'postgresql:///db?host=/run&port=1'],
    ['postgresql:///db?port=1&host=/run', 'postgresql:///db?host=/run&port=1'],
    ['postgresql:///?dbname=a&schema=b&table=c&xhost=d', 'postgresql:///?dbname=a&schema=b&table=c'],
    ['postgresql://a:b@c@host/db', 'postgresql://host/db?'],
    ['postgresql://a@b:c@host/db', 'postgresql://host/db?'],
    ['no url', '?'],
  ])('is the same whoever asks for it: %s', (url, store) => {
    expect(storeOf(url)).toBe(store)
  })
})
