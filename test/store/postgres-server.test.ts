import { describe, expect, it } from 'vitest'
import { refuseServer, type ServerFacts } from '../../src/store/postgres/check.js'
import { placeOf } from '../../src/store/postgres/place.js'

const place = placeOf('postgresql://ana@db/ops')

/** What a sound server says of itself. */
const facts = (over: Partial<ServerFacts> = {}): ServerFacts => ({
  server: 150_018,
  encoding: 'UTF8',
  version: 'PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu',
  is_replica: false,
  is_read_only: false,
  fsync: true,
  has_schema: true,
  tables: [],
  ...over,
})

describe('a server that says what it is', () => {
  it('is taken from version 14 on', () => {
    expect(() => refuseServer(facts({ server: 140_000 }), place)).not.toThrow()
    expect(() => refuseServer(facts(), place)).not.toThrow()
  })

  it.each([
    [{ server: 130_099 }, /PostgreSQL 13\.99; version 14 or newer is needed/],
    [{ encoding: 'LATIN1' }, /texts as LATIN1/],
    [{ version: 'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)' }, /is not PostgreSQL/],
    [{ version: 'PostgreSQL 11.2-YB-2.20.0.0-b0 on x86_64' }, /is not PostgreSQL/],
  ])('is refused with exit 3 for %j', (over, message) => {
    expect(() => refuseServer(facts(over), place)).toThrow(
      expect.objectContaining({
        code: 'ledger_unreadable',
        exitCode: 3,
        message: expect.stringMatching(message),
        hint: expect.stringMatching(/\w/),
      }),
    )
  })
})
