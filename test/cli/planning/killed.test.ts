import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { openStoreForReading } from '../../../src/store/open.js'
import { bundled } from '../../support/bundled.js'
import { lostMails, results } from './planned.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))
const COUNT = 60
const ENV = { ...process.env, ...PROGRAM.env, AGENT_LEDGER: '', AGENT_LEDGER_BY: '', CI: '' }

it('killed in the middle and run again, a plan is carried out once to the last decision', async () => {
  const ledger = await lostMails(COUNT)
  await ledger.planAll()
  await ledger.store.close()
  const plan = join(ledger.folder, 'p.jsonl')
  const argv = [...PROGRAM.argv, 'apply', plan, '--yes', '--jsonl', '--ledger', ledger.path, '--by', 'ana']
  let done = 0
  for (const killAfter of [3, 9]) {
    const child = spawn(process.execPath, argv, { env: ENV, stdio: ['ignore', 'pipe', 'ignore'] })
    let lines = 0
    for await (const chunk of child.stdout) {
      lines += String(chunk).split('\n').length - 1
      if (lines >= done + killAfter) break
    }
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    done = lines
  }
  const last = await execa(process.execPath, argv, { env: ENV, extendEnv: false, reject: false })
  expect(last.exitCode).toBe(0)
  const outcomes = results(last.stdout).map(({ outcome }) => outcome)
  expect(outcomes).toHaveLength(COUNT)
  expect(outcomes.slice(0, 12)).toEqual(Array(12).fill('already'))
  expect(outcomes.every(outcome => outcome === 'already' || outcome === 'done')).toBe(true)
  const store = await openStoreForReading({ url: ledger.path })
  try {
    for (let n = 1; n <= COUNT; n++) {
      const record = await store.operation(`mail-${n}`)
      expect([record?.operation.status, record?.operation.version]).toEqual(['not_executed', 4])
    }
    expect((await store.verify()).findings).toEqual([])
  } finally {
    await store.close()
  }
})
