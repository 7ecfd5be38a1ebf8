import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type OpenOptions, openLedger } from '../../src/ledger.js'
import { openStoreForReading } from '../../src/store/open.js'
import { aCall, aPath, recordOf } from '../execute/support/ledgers.js'

it('makes a ledger where there is none, with its folder, unless it is told not to', async () => {
  const path = join(dirname(aPath()), 'deeper', 'ledger.db')
  await expect(openLedger(path, { create: false })).rejects.toMatchObject({ code: 'ledger_missing' })
  expect(existsSync(path)).toBe(false)
  const ledger = await opened(path)
  expect([ledger.location, existsSync(path)]).toEqual([path, true])
  expect((await opened(path)).ledgerId).toBe(ledger.ledgerId)
})

it('copies the contract of a tool from the configuration named', async () => {
  const path = aPath()
  const config = join(dirname(path), 'agent-ledger.yaml')
  writeFileSync(
    config,
    'tools:\n  tickets.create:\n    effect: compensable\n    retry: { max_attempts: 7 }\n',
  )
  await (await opened(path, { config })).run(aCall(), () => 1)
  expect(await rowOf(path)).toMatchObject({ effect: 'compensable', max_attempts: 7 })
})

it('says where the mistake is in a configuration that cannot be used, and makes no ledger', async () => {
  const path = aPath()
  const config = join(dirname(path), 'agent-ledger.yaml')
  writeFileSync(config, 'tools:\n  tickets.create:\n    efect: compensable\n')
  await expect(openLedger(path, { config })).rejects.toMatchObject({ code: 'invalid_config' })
  await expect(openLedger(path, { config: `${config}.none` })).rejects.toMatchObject({
    code: 'invalid_config',
  })
  expect(existsSync(path)).toBe(false)
})

it('writes who acted into the record', async () => {
  const path = aPath()
  await (await opened(path, { actor: 'cleaner@host' })).run(aCall(), () => 1)
  const store = await openStoreForReading({ url: path })
  const { evidence } = await recordOf(store)
  await store.close()
  expect(evidence.map(({ actor }) => actor)).toEqual(['cleaner@host'])
})

it('goes on when the listener of warnings throws', async () => {
  const ledger = await opened(aPath(), {
    onWarning: () => {
      throw new Error('the logger is broken')
    },
  })
  const call = aCall({ id: 'refund/7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  expect(await ledger.run(call, () => 1)).toMatchObject({ status: 'confirmed' })
})

it('masks what the configuration calls a secret, in the record beside input and result', async () => {
  const path = aPath()
  const config = join(dirname(path), 'agent-ledger.yaml')
  writeFileSync(config, 'redact: [pin_code]\n')
  const ledger = await opened(path, { config })
  await ledger.run(aCall(), () => ({ pin_code: 'swordfish' }))
  const store = await openStoreForReading({ url: path })
  const { evidence, operation } = await recordOf(store)
  await store.close()
  expect(JSON.stringify(evidence)).not.toContain('swordfish')
  expect(operation.result).toEqual({ pin_code: 'swordfish' })
})

async function opened(path: string, options: OpenOptions = {}) {
  const ledger = await openLedger(path, options)
  onTestFinished(() => ledger.close())
  return ledger
}

async function rowOf(path: string) {
  const store = await openStoreForReading({ url: path })
  const { operation } = await recordOf(store)
  await store.close()
  return operation
}
