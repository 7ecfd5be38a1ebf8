import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { openStoreForReading } from '../../src/store/open.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { aServer, json } from '../probes/support/server.js'

const PROGRAM = join(import.meta.dirname, '../../bin/agent-ledger.js')
const COUNT = 24

it('interrupted by ctrl-c and run again, asks about the rest and about nothing twice', async () => {
  const ledger = await aLedger(Date.now() - 3_600_000)
  const keys: string[] = []
  for (let n = 0; n < COUNT; n++) {
    const { operation } = await ledger.lost({ operation_id: `op-${n}`, input: n, idempotency_key: `k-${n}` })
    keys.push(operation.idempotency_key)
  }
  await ledger.store.close()
  let seen = 0
  const heard: (() => void)[] = []
  const { url, requests } = await aServer((request, response) => {
    if (!request.url?.startsWith('/tickets/')) return json({})(request, response)
    seen++
    for (const tell of heard) tell()
    const key = request.url.split('/').at(-1) ?? ''
    json([{ id: `T-${key}`, key }])(request, response)
  })
  const cwd = dirname(ledger.path)
  mkdirSync(join(cwd, 'state'))
  const probe = `kind: http, grade: B, url: "${url}/tickets/{idempotency_key}", match: { key: key }, id: { kind: ticket, value: id }`
  writeFileSync(
    join(cwd, 'agent-ledger.yaml'),
    `ledger: ledger.db\ntools:\n  tickets.create:\n    probe: { ${probe} }\n`,
  )
  const env = { PATH: process.env.PATH ?? '', XDG_STATE_HOME: join(cwd, 'state'), AGENT_LEDGER_BY: 'ana' }
  const argv = [PROGRAM, 'reconcile', '--all', '--jobs', '1', '--jsonl']

  const some = new Promise<void>(resolve => heard.push(() => (seen >= 5 ? resolve() : undefined)))
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', chunk => {
    said += String(chunk)
  })
  child.stdout.resume()
  await some
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect(code).toBe(130)
  expect(said).toMatch(/interrupted: \d+ of 24 were not asked about; run it again/)
  const before = seen
  expect(before).toBeLessThan(COUNT)

  const again = await execa(process.execPath, argv, { cwd, env, extendEnv: false, reject: false })
  expect(again.exitCode).toBe(0)
  const lines = again.stdout.split('\n').map(line => JSON.parse(line))
  expect(lines.every(({ outcome }) => outcome === 'confirmed')).toBe(true)
  const asked = requests.filter(request => request.url.startsWith('/tickets/')).map(one => one.url)
  // Only the one that was being asked when it stopped may have been asked about a second time.
  expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(1)
  expect(new Set(asked).size).toBe(COUNT)
  const store = await openStoreForReading({ url: ledger.path })
  try {
    for (let n = 0; n < COUNT; n++)
      expect((await store.operation(`op-${n}`))?.operation.status).toBe('confirmed')
    expect((await store.verify()).findings).toEqual([])
  } finally {
    await store.close()
  }
})
