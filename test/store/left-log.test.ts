import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { backupLedger } from '../../src/store/sqlite/backup.js'
import { newLedgerFile } from '../../src/store/sqlite/new.js'
import { NOON, stampAt } from '../core/builders.js'
import { aLedger, aProcess, reading, taskIds, writing } from './support/ledgers.js'

describe('the -wal of a killed writer whose ledger was moved away without it', () => {
  it('is not taken for that of a new ledger: none is made, and both parts stay whole', async () => {
    const { path, directory, moved } = await movedWithoutLog()
    const log = readFileSync(`${path}-wal`)
    const making = () => newLedgerFile({ path, now: stampAt(NOON), program: 'a test' })
    expect(making).toThrow(expect.objectContaining({ code: 'ledger_unwritable', path: `${path}-wal` }))
    expect(readFileSync(`${path}-wal`)).toEqual(log)
    expect(readdirSync(directory).filter(name => name.includes('.new-'))).toEqual([])

    renameSync(moved, path)
    expect(await taskIds(await writing(path))).toEqual(['from-the-writer'])
  })

  it('is not taken for that of a backup that is put there', async () => {
    const { path } = await movedWithoutLog()
    const from = aLedger().path
    await expect(backupLedger({ path: from, output: path, waitMs: 1_000 })).rejects.toMatchObject({
      code: 'ledger_unwritable',
      path: `${path}-wal`,
    })
    expect(await taskIds(await reading(from))).toEqual([])
  })
})

async function movedWithoutLog() {
  const { path, directory } = aLedger()
  await (await aProcess('writer', path)).kill()
  const moved = `${path}.old`
  renameSync(path, moved)
  return { path, directory, moved }
}
