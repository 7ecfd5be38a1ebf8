import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLedger } from '../../src/index.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { aDirectory } from './support/places.js'

const GONE = { code: 'ledger_missing', exitCode: 3, message: expect.stringContaining('moved or deleted') }
const REPLACED = { code: 'ledger_replaced', exitCode: 3, message: expect.stringContaining('another file') }

describe('a ledger file that is not where it was opened any more', () => {
  it('is neither read nor written, and is used again when it is back', async () => {
    const { path, store, prepared } = await aLedger()
    await prepared({ operation_id: 'op-1' })
    renameSync(path, `${path}.away`)
    await expect(store.operation('op-1')).rejects.toMatchObject(GONE)
    await expect(prepared({ operation_id: 'op-2', input: 2 })).rejects.toMatchObject(GONE)
    renameSync(`${path}.away`, path)
    expect((await store.operation('op-1'))?.operation.status).toBe('prepared')
    await prepared({ operation_id: 'op-2', input: 2 })
    expect((await store.verify()).findings).toEqual([])
  })

  it('is not taken for another ledger that was put in its place', async () => {
    const { path, store, prepared } = await aLedger()
    const other = await aLedger()
    await other.store.close()
    renameSync(path, `${path}.away`)
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    renameSync(other.path, path)
    await expect(prepared({ operation_id: 'op-1' })).rejects.toMatchObject(REPLACED)
    await expect(store.openTasks()).rejects.toMatchObject(REPLACED)
  })

  it('means that a call is not made', async () => {
    const path = join(aDirectory(), 'ledger.db')
    const ledger = await openLedger(path, { onWarning: () => {} })
    await ledger.task('run-1')
    renameSync(path, `${path}.away`)
    let calls = 0
    const call = { id: 'mail-1', task: 'run-1', tool: 'mail.send', input: {} }
    await expect(ledger.run(call, () => calls++)).rejects.toMatchObject(GONE)
    expect(calls).toBe(0)
    await ledger.close()
  })

  it('leaves the outcome of a call that was made beside its place, and takes it in when it is back', async () => {
    const path = join(aDirectory(), 'ledger.db')
    const ledger = await openLedger(path, { onWarning: () => {} })
    const call = { id: 'mail-1', task: 'run-1', tool: 'mail.send', input: {} }
    const outcome = await ledger.run(call, () => {
      renameSync(path, `${path}.away`)
      return { message: 'm-1' }
    })
    expect(outcome).toMatchObject({ status: 'unrecorded', result: { message: 'm-1' } })
    renameSync(`${path}.away`, path)
    await ledger.close()
    const again = await openLedger(path, { onWarning: () => {} })
    expect(await again.run(call, () => ({ message: 'm-2' }))).toMatchObject({
      status: 'confirmed',
      result: { message: 'm-1' },
      replayed: true,
    })
    await again.close()
  })
})
