import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { pendingReceipts } from '../../src/execute/spool.js'
import { openLedger } from '../../src/ledger.js'
import { aCall, aLedger, counting, recordOf } from './support/ledgers.js'
import { failing, opened } from './support/spooled.js'

function nested(levels: number): object {
  let value = {}
  for (let n = 0; n < levels; n += 1) value = { value }
  return value
}

describe('a receipt taken in', () => {
  it('after somebody found the operation orphaned is late evidence and confirms', async () => {
    const { ledger, store, path } = await aLedger({
      around: failing(2, 'none'),
      owner: 'elsewhere/1/1/1/1/x',
    })
    await ledger.run(aCall(), () => ({ id: 'T-1' }))
    const aside = `${path}.aside`
    renameSync(`${path}.spool`, aside)
    const { ledger: other } = await aLedger({ path, isOwnerGone: () => true })
    expect(await other.run(aCall(), () => 'again')).toMatchObject({ status: 'unknown' })
    renameSync(aside, `${path}.spool`)
    await opened(path)
    const { operation, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'confirmed', result: { id: 'T-1' } })
    expect(evidence.map(({ kind }) => kind)).toEqual(['lease', 'late_result'])
  })

  it('twice changes nothing', async () => {
    const { ledger, store, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => ({ id: 'T-1' }))
    const [file = ''] = pendingReceipts(path)
    const copy = readFileSync(file)
    await opened(path)
    const once = await recordOf(store)
    writeFileSync(file, copy)
    await opened(path)
    expect(await recordOf(store)).toEqual(once)
    expect(existsSync(file)).toBe(false)
  })

  it('is left where it is, and warned of, when it is none or of another ledger', async () => {
    const { ledger, store, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => 1)
    const spool = `${path}.spool`
    const receipt = JSON.parse(readFileSync(pendingReceipts(path)[0] ?? '', 'utf8'))
    const put = (name: string, text: string) => writeFileSync(join(spool, `${name}.json`), text)
    put('1-empty', '')
    put('2-half', JSON.stringify(receipt).slice(0, 80))
    put('3-list', '[]')
    put('4-other', JSON.stringify({ ...receipt, ledger_id: 'another' }))
    put('5-more', JSON.stringify({ ...receipt, surprise: 1 }))
    put('6-nobody', JSON.stringify({ ...receipt, owner: 'nobody' }))
    put('7-no-operation', JSON.stringify({ ...receipt, operation_id: 'none' }))
    put('8-failure', JSON.stringify({ ...receipt, end: 'ambiguous' }))
    symlinkSync(path, join(spool, '9-link.json'))
    mkdirSync(join(spool, 'a-folder.json'))
    execFileSync('mkfifo', [join(spool, 'b-pipe.json')])
    writeFileSync(join(spool, 'c-unfinished.tmp'), 'half')
    const { taken } = await opened(path)
    expect(taken().map(({ code }) => code)).toEqual(Array(11).fill('receipt_unreadable'))
    expect(pendingReceipts(path)).toHaveLength(11)
    expect((await recordOf(store)).operation.status).toBe('confirmed')
  })

  it('of an announcement that was never written says nothing, and goes', async () => {
    const { ledger, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => 1)
    const [file = ''] = pendingReceipts(path)
    const receipt = JSON.parse(readFileSync(file, 'utf8'))
    const error = { rule: 'announcement_failed', message: 'x', at: 1, attempt: null }
    const evidence = [{ kind: 'call_never_made', origin: 'observed', attempt: 0, body: {} }]
    const never = { ...receipt, owner: 'nobody', end: 'not_applied', result: null, result_digest: null }
    for (const operation_id of ['ticket-1', 'none'])
      writeFileSync(
        join(dirname(file), `${operation_id}.json`),
        JSON.stringify({ ...never, operation_id, error, evidence }),
      )
    const { taken } = await opened(path)
    expect(taken()).toEqual([])
    expect(pendingReceipts(path)).toEqual([])
  })

  it('that the ledger cannot hold keeps nobody from it, is left where it is, and warned of', async () => {
    const { ledger, store, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => 1)
    const [file = ''] = pendingReceipts(path)
    const receipt = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...receipt, result: nested(1_100) }))
    const { ledger: next, taken } = await opened(path)
    expect(taken()).toMatchObject([{ code: 'receipt_unreadable', path: file }])
    expect((await recordOf(store)).operation.status).toBe('in_flight')
    expect(await next.run(aCall({ id: 'b', task: 'task-2' }), () => 2)).toMatchObject({ status: 'confirmed' })
  })

  it('that cannot be taken in now keeps the ledger from being opened to write, and stays', async () => {
    const { ledger, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => 1)
    const other = new Database(path)
    other.exec('begin immediate')
    await expect(openLedger(path, { waitMs: 20 })).rejects.toMatchObject({ code: 'busy' })
    other.exec('rollback')
    expect(pendingReceipts(path)).toHaveLength(1)
  })
})

describe('a commit that fails without saying whether it was written', () => {
  it.each(['unknown after', 'unknown before'] as const)(
    '(%s) of the outcome is told again, once',
    async when => {
      const { ledger, store, path } = await aLedger({ around: failing(2, when) })
      expect(await ledger.run(aCall(), () => ({ id: 'T-1' }))).toMatchObject({
        status: 'confirmed',
        replayed: false,
      })
      const { operation, evidence } = await recordOf(store)
      expect(operation).toMatchObject({ status: 'confirmed', version: 3 })
      expect(evidence).toHaveLength(1)
      expect(readdirSync(dirname(path)).filter(name => name.includes('spool'))).toEqual([])
    },
  )

  it('of the intent ends the attempt that is there as never made, and the call is not made', async () => {
    const { ledger, store, path } = await aLedger({ around: failing(1, 'unknown after') })
    const { calls, handler } = counting(1)
    await expect(ledger.run(aCall(), handler)).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect(calls).toEqual([])
    const { operation, attempts, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
    expect(attempts).toMatchObject([{ end: 'not_applied', error: { rule: 'announcement_failed' } }])
    expect(evidence).toMatchObject([{ kind: 'call_never_made', attempt: 1 }])
    const { ledger: next } = await opened(path)
    expect(await next.run(aCall(), handler)).toMatchObject({ status: 'confirmed' })
  })

  it('of the intent that was not written leaves nothing', async () => {
    const { ledger, store } = await aLedger({ around: failing(1, 'unknown before') })
    const { calls, handler } = counting(1)
    await expect(ledger.run(aCall(), handler)).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect([calls, await store.operation('ticket-1')]).toEqual([[], null])
  })

  it('of the intent, and then no look either: the spool says that the call was never made', async () => {
    const { ledger, store, path } = await aLedger({ around: failing(1, 'unknown after', Infinity) })
    const { calls, handler } = counting(1)
    await expect(ledger.run(aCall(), handler)).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect((await recordOf(store)).operation.status).toBe('in_flight')
    const { ledger: next } = await opened(path)
    expect((await recordOf(store)).operation).toMatchObject({ status: 'not_executed' })
    expect(await next.run(aCall(), handler)).toMatchObject({ status: 'confirmed' })
    expect(calls).toEqual([2])
  })
})
