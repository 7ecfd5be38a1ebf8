import { expect, it } from 'vitest'
import type { Request } from '../../../src/core/transitions/requests.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { runCli } from '../fake-io.js'

const MINUTE = 60_000

/** A mailing of hours that a broker handed to a new worker every hour, while the first was still sending. */
async function fourTimes() {
  const ledger = await aLedger(Date.parse('2026-03-10T08:00:00Z'))
  await ledger.prepared({
    operation_id: 'op-9',
    tool: 'send_bulk',
    max_attempts: 9,
    repeat: { kind: 'conditional', names: 'permanent' },
  })
  const send = (n: number): Request => {
    return { type: 'send', owner: `broker/b/${n}/ns/1/abc`, lease_ms: 60 * MINUTE, epoch: null, fence: null }
  }
  const sent = [await ledger.ask('op-9', send(1))]
  for (const n of [2, 3, 4]) {
    ledger.clock.advance(60 * MINUTE + (n === 2 ? MINUTE : 0))
    await ledger.ask('op-9', { type: 'orphan', why: 'lease_lapsed', reason: null })
    await ledger.ask('op-9', { type: 'resend' })
    sent.push(await ledger.ask('op-9', send(n)))
  }
  ledger.clock.advance(57 * MINUTE)
  for (const { operation } of sent) {
    const { attempt, lease_fence: fence } = operation
    const subject = { operation_id: 'op-9', attempt, fence }
    const now = ledger.clock()
    await ledger.store.signal(
      attempt === 1
        ? { kind: 'progress', subject, progress: { done: 9_000, of: 12_000 }, clock: () => now }
        : { kind: 'heartbeat', subject, clock: () => now },
    )
  }
  ledger.clock.advance(2 * MINUTE)
  const cli = (...argv: readonly string[]) =>
    runCli([...argv, '--ledger', ledger.path, '--as-of', '2026-03-10T12:00:00Z'])
  return { ...ledger, cli }
}

it('A7: four attempts that overlap are shown as such, each with its own progress, and no fifth is advised', async () => {
  const { cli } = await fourTimes()
  const stalled = await cli('list', '--stalled')
  expect(stalled.out).toContain('overlapping_attempts: 4 attempts overlap')
  const shown = await cli('show', 'op-9')
  expect(shown.out).toContain(
    '4 attempts overlap (1, 2, 3, 4); attempt 1 is still reporting progress, last 2m ago',
  )
  expect(shown.out.match(/progress: \{"done":9000,"of":12000\}/g)).toHaveLength(1)
  const { attempts, next_action, actions } = JSON.parse((await cli('show', 'op-9', '--json')).out)
  expect(attempts.map(({ progress }: { progress: unknown }) => progress)).toEqual([
    { done: 9_000, of: 12_000 },
    null,
    null,
    null,
  ])
  expect(next_action).toMatchObject({ next_action: 'wait' })
  const retry = actions.find(({ action }: { action: string }) => action === 'allow_retry')
  expect(retry).toMatchObject({ allowed: false })
})
