import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { readCheckpoint } from '../../../src/sources/index.js'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'
import { addressOf, fillPostgres } from './postgres-rows.js'
import { casesWith, expectedOf, FIXTURES, itIsReadRight } from './real-case.js'

const cases = casesWith('rows.json')
let server: PostgresServer
let url: string
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } })
  url = await server.createDatabase()
  for (const name of cases)
    await fillPostgres(url, name, JSON.parse(readFileSync(join(FIXTURES, name, 'rows.json'), 'utf8')))
})
afterAll(() => server.remove())

describe.each(cases)('the tables %s', name => {
  const expected = expectedOf(name)
  itIsReadRight(expected, () => readCheckpoint(addressOf(url, name), { nodeNames: expected.names }))
})
