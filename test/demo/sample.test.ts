import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isInDoubt } from '../../src/core/in-doubt.js'
import { OPERATION_STATUSES } from '../../src/core/operation.js'
import { writeSample } from '../../src/demo/sample.js'
import { openStoreForReading } from '../../src/store/open.js'
import { runCli } from '../cli/fake-io.js'
import { aDirectory } from '../store/support/places.js'

const now = Date.now()

async function sample() {
  const path = join(aDirectory(), 'ledger.db')
  await writeSample({ path, now, program: 'test' })
  const store = await openStoreForReading({ url: path })
  onTestFinished(() => store.close())
  const asked = { scope: 'all', goneOwners: [], sort: 'id', limit: 1_000 } as const
  const { operations } = await store.operations({ ...asked, now: { at: now, boot_id: '', boot_ms: 0 } })
  return { path, store, operations }
}

describe('the sample ledger', () => {
  it('has operations in every state, doubts of every kind, and fits together', async () => {
    const { store, operations } = await sample()
    for (const status of OPERATION_STATUSES)
      expect(operations.filter(one => one.status === status).length, status).toBeGreaterThan(0)
    const look = { now: { at: now, boot_id: '', boot_ms: 0 }, isOwnerGone: () => false }
    const inFlight = operations.filter(one => one.status === 'in_flight')
    expect(inFlight.some(one => isInDoubt(one, look))).toBe(true)
    expect(inFlight.some(one => one.lease_expires_at === null)).toBe(true)
    expect(inFlight.some(one => (one.lease_expires_at ?? 0) > now)).toBe(true)
    const flags = new Set(operations.flatMap(({ flags }) => Object.keys(flags)))
    for (const flag of [
      'duplicates',
      'target_differs',
      'contradicted',
      'reopened',
      'without_evidence',
      'accepted_duplicate',
    ])
      expect(flags).toContain(flag)
    const causes = new Set(
      operations.flatMap(({ status, last_error }) => (status === 'unknown' ? [last_error?.rule] : [])),
    )
    for (const cause of ['timeout', 'eof', 'lease_lapsed', 'owner_gone', 'taken_over', 'http_503'])
      expect(causes).toContain(cause)
    for (const has of [
      operations.some(one => one.same_as !== null),
      operations.some(one => one.compensates !== null && one.status === 'confirmed'),
      operations.some(one => one.by_hand !== null && one.status === 'confirmed'),
      operations.some(one => one.defer_until !== null && one.defer_until > now),
      operations.some(one => one.next_attempt_at !== null && one.next_attempt_at > now),
      operations.some(one => one.contract.approval === 'required'),
      operations.some(one => one.cancel_requested_at !== null && one.status === 'unknown'),
    ])
      expect(has).toBe(true)
    expect((await store.verify()).findings).toEqual([])
  })

  it('has tasks that were taken over, cancelled, completed, paused and started by another', async () => {
    const { store } = await sample()
    const { tasks } = await store.tasks({
      scope: 'all',
      now: { at: now, boot_id: '', boot_ms: 0 },
      goneOwners: [],
      limit: null,
    })
    const all = tasks.map(({ task }) => task)
    expect(all.length).toBeGreaterThanOrEqual(10)
    expect(all.some(({ taken_over_by }) => taken_over_by !== null)).toBe(true)
    expect(all.some(({ parent_task_id }) => parent_task_id !== null)).toBe(true)
    expect(new Set(all.map(({ status }) => status))).toEqual(
      new Set(['running', 'waiting_approval', 'cancel_requested', 'completed']),
    )
  })

  it('tells nothing that is yet to come, and ends before now', async () => {
    const { store } = await sample()
    const events = await store.events({ limit: 10_000 })
    expect(Math.max(...events.map(({ at }) => at))).toBeLessThan(now)
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b))
  })
})

describe('demo', () => {
  it('writes it where it is told, only for its owner, and says what to try', async () => {
    const cwd = aDirectory()
    const { code, out, err } = await runCli(['demo', 'sub'], { cwd, now })
    const path = join(cwd, 'sub', 'ledger.db')
    expect([code, out]).toEqual([0, `wrote ${path}\n`])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(err).toContain(`export AGENT_LEDGER=${path}`)
    expect(err).toContain("agent-ledger takeover 'newsletter autumn'")
  })

  it('overwrites nothing', async () => {
    const cwd = aDirectory()
    await runCli(['demo', 'sub'], { cwd, now })
    const before = readFileSync(join(cwd, 'sub', 'ledger.db'))
    const { code, err } = await runCli(['demo', 'sub'], { cwd, now })
    expect(code).toBe(2)
    expect(err).toContain('is there already; it was left as it is')
    expect(readFileSync(join(cwd, 'sub', 'ledger.db')).equals(before)).toBe(true)
  })

  it('can be decided on', async () => {
    const cwd = aDirectory()
    await runCli(['demo', '.'], { cwd, now })
    const argv = [
      'resolve',
      'release-2.8.0/npm',
      '--as',
      'confirmed',
      '--evidence',
      'npm view',
      '--reason',
      'it is there',
    ]
    const decided = await runCli([...argv, '--yes', '--ledger', 'ledger.db'], { cwd, now: Date.now() })
    expect(decided.out).toContain('release-2.8.0/npm: unknown → confirmed')
    const odd = await runCli(['resolve', ...argv.slice(2), '--yes', '--ledger', 'ledger.db', '--', '--yes'], {
      cwd,
      now,
    })
    expect(odd.out).toContain('--yes: unknown → confirmed')
    expect(odd.out).toContain(`undo: agent-ledger reopen --reason '…' -- --yes`)
  })
})
