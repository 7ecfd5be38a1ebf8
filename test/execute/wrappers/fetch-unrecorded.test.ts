import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../../src/ledger.js'
import { aCall, aLedger } from '../support/ledgers.js'
import { httpServer } from '../support/servers.js'

const { input: _, ...CALL } = aCall({ maxAttempts: 1 })

describe('a success that cannot be written down', () => {
  it('is handed over as such with the line that records it; the next open finds it, and it is not sent again', async () => {
    const { ledger, path } = await aLedger({ waitMs: 50 })
    const other = new Database(path)
    const { url, arrived } = await httpServer((_, response) => {
      other.exec('begin immediate')
      response.writeHead(201).end('{"id":"T-1"}')
    })
    const outcome = await ledger.fetch(CALL, { url })
    expect(outcome).toMatchObject({
      status: 'unrecorded',
      result: { status: 201, body: { id: 'T-1' } },
      command: expect.stringContaining('agent-ledger record confirm'),
    })
    await expect(ledger.fetch({ ...CALL, id: 'next' }, { url })).rejects.toThrow('not recorded yet')
    other.exec('rollback')
    other.close()
    const next = await openLedger(path)
    onTestFinished(() => next.close())
    expect(await next.fetch(CALL, { url })).toMatchObject({ status: 'confirmed', replayed: true })
    expect(arrived).toHaveLength(1)
  })

  it('is in doubt where the service only took it in, and the line records whom to ask', async () => {
    const { ledger, path } = await aLedger({ waitMs: 50 })
    const other = new Database(path)
    const { url } = await httpServer((_, response) => {
      other.exec('begin immediate')
      response.writeHead(202, { location: '/jobs/J-1' }).end()
    })
    const outcome = await ledger.fetch(CALL, { url })
    other.exec('rollback')
    other.close()
    expect(outcome).toMatchObject({ status: 'unknown' })
    if (outcome.status === 'unknown')
      expect(outcome.next_action.reason).toContain('agent-ledger record accept')
    const next = await openLedger(path)
    onTestFinished(() => next.close())
    const { document } = await next.show(CALL.id)
    expect(document).toMatchObject({
      status: 'unknown',
      external_ids: [{ kind: 'status', value: `${url}/jobs/J-1` }],
      state: { last_error: { rule: 'accepted' } },
    })
  })
})
