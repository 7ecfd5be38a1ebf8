import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateDocument } from '../../src/core/documents/migrate-schema.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { type PostgresServer, startPostgres } from '../postgres/server.js'
import { runCli } from './fake-io.js'

/** A closed ledger of two settled operations, and the command in its folder. */
async function aPlace() {
  const ledger = await aLedger()
  await ledger.confirmed({ operation_id: 'op-1' })
  await ledger.confirmed({ operation_id: 'op-2' })
  await ledger.store.close()
  const cwd = dirname(ledger.path)
  const migrate = (...words: readonly string[]) =>
    runCli(['migrate', '--ledger', ledger.path, ...words], { cwd, now: Date.now() })
  const outcome = async (...words: readonly string[]) => {
    const { code, out, err } = await migrate(...words, '--json')
    return code === 0 ? migrateDocument.parse(JSON.parse(out)).outcome : [code, JSON.parse(err).code]
  }
  return { from: ledger.path, to: join(cwd, 'new.db'), migrate, outcome }
}

describe('migrate --to', () => {
  it('looks first, asks, moves, and says the same when it is run again', async () => {
    const { from, to, migrate, outcome } = await aPlace()
    expect(await outcome('--to', 'new.db', '--dry-run')).toBe('would_move')
    const asked = await migrate('--to', 'new.db')
    expect([asked.code, asked.err]).toEqual([
      2,
      expect.stringMatching(/Move .*ledger\.db \(\d+ rows\) to .*new\.db, and write nothing where it was/),
    ])
    const moved = await migrate('--to', 'new.db', '--yes')
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining(`moved ${from} to ${to}`)])
    expect(await outcome('--to', 'new.db')).toBe('was_there')
    expect((await runCli(['show', 'op-2', '--ledger', to])).code).toBe(0)
    expect((await runCli(['list', '--ledger', from])).err).toContain(`was moved to ${to}`)
  })

  it('has nothing to take back where no move was begun', async () => {
    const { outcome } = await aPlace()
    expect(await outcome('--to', 'new.db', '--take-back', '--yes')).toEqual([7, 'refused'])
  })

  it.each([
    [[], /--to is missing/],
    [['--to', 'new.db', '--dry-run', '--take-back'], /do not go together/],
    [['--partitions', '4', '--dry-run', '--take-back'], /do not go together/],
    [['--partitions', '4'], /is a file: its tables are not split/],
    [['--to', 'new.db', '--partitions', '4', '--yes'], /is a file|partitions/],
  ])('%j is wrong usage, and says why', async (words, message) => {
    const { code, err } = await (await aPlace()).migrate(...words)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('migrate --partitions', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  it('splits a ledger where it is, after it asked', async () => {
    const url = await server.createDatabase()
    const cli = (...words: readonly string[]) => runCli([...words, '--ledger', url], { now: Date.now() })
    const outcome = async (...words: readonly string[]) => {
      const { out } = await cli('migrate', ...words, '--json')
      return migrateDocument.parse(JSON.parse(out)).outcome
    }
    await cli('init')
    expect(await outcome('--partitions', '4', '--dry-run')).toBe('would_split')
    const asked = await cli('migrate', '--partitions', '4')
    expect([asked.code, asked.err]).toEqual([
      2,
      expect.stringMatching(/Split the large tables of .* into 4 partitions/),
    ])
    expect(await outcome('--partitions', '4', '--yes')).toBe('split')
    expect(await outcome('--partitions', '4')).toBe('was_there')
    expect((await cli('verify')).code).toBe(0)
  })
})
