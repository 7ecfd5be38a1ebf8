import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { LedgerError } from '../../src/core/errors.js'
import { pendingReceipts } from '../../src/execute/spool.js'
import type { LedgerWarning } from '../../src/ledger/session.js'
import { type OpenOptions, openLedger } from '../../src/ledger.js'
import type { Change, Store } from '../../src/store/store.js'
import { bundled } from '../support/bundled.js'
import { effectsOf, ranTo } from './support/children.js'
import { aCall, aLedger, aPath, counting, held, recordOf } from './support/ledgers.js'

const SPOOLING = bundled(join(import.meta.dirname, 'support', 'spooling-program.ts'))

describe('B10: an outcome that the ledger cannot take in', () => {
  it('because it stays locked is kept beside it, and the next open records it', async () => {
    const { ledger, store, path, warnings } = await aLedger({ waitMs: 50 })
    const other = new Database(path)
    const outcome = await ledger.run(aCall(), async ({ externalId }) => {
      await externalId('ticket', 'T-1')
      other.exec('begin immediate')
      return { id: 'T-1', note: "it's" }
    })
    other.exec('rollback')
    expect(outcome).toMatchObject({ status: 'unrecorded', result: { id: 'T-1', note: "it's" } })
    const [file = '', ...more] = pendingReceipts(path)
    expect(more).toEqual([])
    expect(warnings).toMatchObject([{ code: 'receipt_spooled', operation_id: 'ticket-1', path: file }])
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
    expect((await recordOf(store)).operation.status).toBe('in_flight')

    const { ledger: next, taken } = await opened(path)
    expect(taken()).toEqual([])
    expect(pendingReceipts(path)).toEqual([])
    const { operation, external_ids, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'confirmed', result: { id: 'T-1', note: "it's" } })
    expect(external_ids).toEqual([{ kind: 'ticket', value: 'T-1' }])
    expect(evidence.map(({ kind }) => kind)).toEqual(['receipt', 'receipt'])
    expect(await next.run(aCall(), () => 'again')).toMatchObject({ replayed: true, result: { id: 'T-1' } })
  })

  it('because the disk is full is kept as well, by a process that then dies', async () => {
    const path = aPath()
    const world = join(dirname(path), 'effects.txt')
    const { said } = await ranTo({ path, world, role: 'full' })
    expect(said).toMatchObject({
      first: { status: 'unrecorded' },
      second: 'ledger_unwritable',
      third: 'ledger_unwritable',
    })
    expect(effectsOf(world)).toEqual(['first'])
    const { ledger } = await opened(path)
    expect(await ledger.run(aCall(), () => 'again')).toMatchObject({
      status: 'confirmed',
      result: { id: 'T-1' },
      replayed: true,
    })
  })

  it('because it was closed meanwhile waits for the next open', async () => {
    const { ledger, path } = await aLedger()
    const end = held<string>()
    const inside = held<void>()
    const running = ledger.run(aCall(), () => {
      inside.resolve()
      return end.promise
    })
    await inside.promise
    await ledger.close()
    end.resolve('done')
    expect(await running).toMatchObject({ status: 'unrecorded', result: 'done' })
    const { ledger: next } = await opened(path)
    expect(await next.run(aCall(), () => 'again')).toMatchObject({ status: 'confirmed', result: 'done' })
  })

  it('waits beside the file itself, also when it was opened by a link', async () => {
    const real = aPath()
    await (await openLedger(real)).close()
    const link = `${real}.link`
    symlinkSync(real, link)
    const { ledger } = await aLedger({ path: link, around: failing(2, 'none') })
    await ledger.run(aCall(), () => 'done')
    expect(pendingReceipts(real)).toEqual(pendingReceipts(link))
    expect(pendingReceipts(real)).toHaveLength(1)
  })

  it('lets this process send nothing further for the task, until its receipt was taken in', async () => {
    const { ledger, path } = await aLedger({ around: failing(2, 'none') })
    await ledger.run(aCall(), () => 1)
    const { calls, handler } = counting(2)
    await expect(ledger.run(aCall({ id: 'b' }), handler)).rejects.toMatchObject({
      code: 'ledger_unwritable',
      hint: expect.stringContaining('agent-ledger record confirm'),
    })
    const { ledger: sibling } = await aLedger({ path })
    await expect(sibling.run(aCall({ id: 'b' }), handler)).rejects.toMatchObject({
      code: 'ledger_unwritable',
    })
    expect(calls).toEqual([])
    expect(await ledger.run(aCall({ id: 'c', task: 'task-2' }), () => 1)).toMatchObject({
      status: 'confirmed',
    })
    await opened(path)
    expect(await ledger.run(aCall({ id: 'b' }), handler)).toMatchObject({ status: 'confirmed' })
  })

  it('and for which the spool cannot be written either is still told, with the command', async () => {
    const { ledger, path, warnings } = await aLedger({ around: failing(2, 'none') })
    writeFileSync(`${path}.spool`, 'in the way')
    expect(await ledger.run(aCall(), () => 'done')).toMatchObject({
      status: 'unrecorded',
      result: 'done',
      command: expect.stringContaining('"attempt":1,"fence":2,"result":"done"'),
    })
    expect(warnings).toMatchObject([
      { code: 'receipt_spooled', message: expect.stringContaining('record it with') },
    ])
    await expect(ledger.run(aCall({ id: 'b' }), () => 1)).rejects.toMatchObject({ code: 'ledger_unwritable' })
  })

  it('is told as what it is when it was refused, or in doubt', async () => {
    const { ledger, path } = await aLedger({ around: failing(2, 'none') })
    const refused = await ledger.run(aCall(), () => Promise.reject(notExecuted('over quota')))
    expect(refused).toMatchObject({
      status: 'not_executed',
      reason: expect.stringContaining('over quota; the ledger could not'),
    })
    const { ledger: second } = await aLedger({ path: aPath(), around: failing(2, 'none') })
    const lost = await second.run(aCall(), () => Promise.reject(new Error('reset')))
    expect(lost).toMatchObject({
      status: 'unknown',
      next_action: { reason: expect.stringContaining('record lose') },
    })
    const { ledger: next } = await opened(path)
    expect(await next.run(aCall(), () => 'now')).toMatchObject({ status: 'confirmed', result: 'now' })
  })

  it('goes by digest in the command where a shell would not take it', async () => {
    const { ledger, path } = await aLedger({ around: failing(2, 'none') })
    const outcome = await ledger.run(aCall(), () => 'x'.repeat(200_000))
    if (outcome.status !== 'unrecorded') throw new Error(outcome.status)
    expect(outcome.command.length).toBeLessThan(1_000)
    const { ledger: next } = await opened(path)
    expect(await next.run(aCall(), () => '')).toMatchObject({ result: 'x'.repeat(200_000) })
  })
})

describe('a disk that takes a part of a receipt only', () => {
  it('leaves no part of it, and no file is said to hold it', async () => {
    const path = aPath()
    const kept = (limit: string) => {
      const [program = '', ...args] = [...SPOOLING.argv, path, '100000']
      // A file that may grow no further takes what still fits and answers with its length, as a disk does that is full.
      const script = `trap '' XFSZ; ulimit -f ${limit}; exec "$0" "$@"`
      const env = { ...process.env, ...SPOOLING.env }
      const said = execFileSync('bash', ['-c', script, process.execPath, program, ...args], { env })
      return JSON.parse(String(said))
    }
    expect(kept('20')).toBeNull()
    expect(readdirSync(`${path}.spool`)).toEqual([])
    expect(kept('unlimited')).toBe(pendingReceipts(path)[0])
  })
})

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

function nested(levels: number): object {
  let value = {}
  for (let n = 0; n < levels; n += 1) value = { value }
  return value
}

/** Lets the changes from the n-th on fail: before they are written, or after. */
function failing(
  from: number,
  how: 'none' | 'unknown before' | 'unknown after',
  times = how === 'none' ? Infinity : 1,
) {
  return (store: Store): Store => {
    let n = 0
    let failed = 0
    return {
      ...store,
      change: async (asked: Change) => {
        n += 1
        const isFailing =
          n >= from && failed < times && asked.operation_id !== 'c' && (how !== 'none' || n === from)
        if (!isFailing) return store.change(asked)
        failed += 1
        // only the first of them is written all the same
        if (how === 'unknown after' && failed === 1) await store.change(asked)
        throw new LedgerError('ledger_unwritable', 'the disk answered with an error', {
          facts: { commit: how === 'none' ? 'none' : 'unknown' },
        })
      },
    }
  }
}

async function opened(path: string, options: OpenOptions = {}) {
  const warnings: LedgerWarning[] = []
  const ledger = await openLedger(path, {
    create: false,
    onWarning: warning => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => ledger.close())
  return { ledger, taken: () => warnings }
}
