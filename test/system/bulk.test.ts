import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lostMails } from '../proof/bulk/lost.js'
import { decidedTimes, runOn, SAID } from '../proof/bulk/run.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-ledger-bulk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const MANY = 10_000

it.each([
  ['a plan', 'apply'],
  ['a file of decisions', 'resolve'],
])(
  '%s of 10,000 decisions, killed in the middle again and again, is carried out once',
  async (_, command) => {
    const mails = await lostMails(folder, MANY)
    if (command === 'apply') {
      const planned = await runOn(mails, ['plan', 'resolve', '--unknown', ...SAID, '--output', mails.plan])
      expect([planned.code, planned.said]).toEqual([0, expect.stringContaining('10000 decisions')])
    }
    const argv = command === 'apply' ? ['apply', mails.plan] : ['resolve', '--file', mails.decisions]
    const carryOut = (killAfter?: number) => runOn(mails, [...argv, '--yes', '--jsonl'], killAfter)
    let before = 0
    for (const killAfter of [1, 5_001, 9_000]) {
      expect((await carryOut(killAfter)).code).toBeNull()
      const { 1: decided = 0, ...others } = decidedTimes(mails)
      expect(decided).toBeGreaterThanOrEqual(Math.max(killAfter, before))
      expect(Object.keys(others)).toEqual(['0'])
      before = decided
    }
    const last = await carryOut()
    expect(last).toMatchObject({ code: 0, outcomes: { already: before, done: MANY - before } })
    expect(decidedTimes(mails)).toEqual({ 1: MANY })
    expect((await runOn(mails, ['verify'])).code).toBe(0)
  },
)
