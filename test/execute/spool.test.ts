import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { pendingReceipts } from '../../src/execute/spool.js'
import { openLedger } from '../../src/ledger.js'
import { bundled } from '../support/bundled.js'
import { effectsOf, ranTo } from './support/children.js'
import { aCall, aLedger, aPath, counting, held, recordOf } from './support/ledgers.js'
import { failing, opened } from './support/spooled.js'

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
    const { ledger, path, warnings } = await aLedger({ around: failing(2, 'unknown before', Infinity) })
    writeFileSync(`${path}.spool`, 'in the way')
    expect(await ledger.run(aCall(), () => 'done')).toMatchObject({
      status: 'unrecorded',
      result: 'done',
      command: expect.stringContaining('"attempt":1,"fence":2,"result":"done"'),
    })
    expect(warnings).toMatchObject([
      { code: 'receipt_spooled', message: expect.stringContaining('record it with') },
    ])
    await expect(ledger.run(aCall({ id: 'b' }), () => 1)).rejects.toMatchObject({
      code: 'ledger_unwritable',
      hint: expect.stringContaining('agent-ledger record confirm'),
    })
  })

  it.each([
    ['is recorded by this process before it sends anything further, once the ledger can be written', false],
    ['holds this process back no longer when a person has recorded it by that command', true],
  ])('and for which the spool cannot be written either %s', async (_, byPerson) => {
    const { ledger, store, path } = await aLedger({ around: failing(2, 'none') })
    writeFileSync(`${path}.spool`, 'in the way')
    expect(await ledger.run(aCall(), () => 'done')).toMatchObject({ status: 'unrecorded' })
    if (byPerson) {
      const { ledger: person } = await aLedger({ path })
      const held = { operation_id: 'ticket-1', attempt: 1, fence: 2 }
      expect(await person.confirm(held, { result: 'done' })).toMatchObject({ status: 'confirmed' })
    }
    const standsAt = await ledger.run(aCall({ id: 'b', input: 'b' }), async () => {
      const { operation, evidence } = await recordOf(store)
      return [operation.status, operation.result, evidence.length]
    })
    expect(standsAt).toMatchObject({ status: 'confirmed', result: ['confirmed', 'done', 1] })
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
