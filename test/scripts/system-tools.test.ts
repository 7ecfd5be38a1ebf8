import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

it('the tests of the system fail where strace is missing, and say so', () => {
  const bin = mkdtempSync(join(tmpdir(), 'agent-ledger-bin-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  symlinkSync(process.execPath, join(bin, 'node'))
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', 'vitest.system.config.ts'],
    { cwd: ROOT, env: { ...process.env, PATH: bin }, encoding: 'utf8' },
  )
  expect(status).not.toBe(0)
  expect(stdout + stderr).toContain('not run: strace is missing')
  expect(stdout).not.toContain('passed')
})
