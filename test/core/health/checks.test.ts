import { describe, expect, it } from 'vitest'
import { examineHealth, HEALTH_CHECKS, healthExitCode } from '../../../src/core/health/checks.js'
import type { HealthFacts } from '../../../src/core/health/facts.js'
import { NOON, stampAt } from '../builders.js'
import { aFile, anInside, aServer, facts, MB } from './builders.js'

const status = (id: string, over: Partial<HealthFacts>) =>
  examineHealth(facts(over)).find(one => one.id === id)?.status

describe('the checks of doctor', () => {
  it('find nothing where all is well', () => {
    const found = examineHealth(facts())
    expect(found.map(({ id }) => id)).toEqual(HEALTH_CHECKS.map(({ id }) => id))
    expect(found.filter(one => one.status !== 'ok')).toEqual([])
    expect(healthExitCode(found, 12)).toBe(0)
  })

  it.each([
    ['node', 'ok', { node: '20.19.0' }],
    ['node', 'fail', { node: '20.18.9' }],
    ['node', 'fail', { node: '20' }],
    ['node', 'ok', { node: '21.0.0' }],
    ['sqlite', 'ok', { sqlite: '3.51.3' }],
    ['sqlite', 'fail', { sqlite: '3.51.2' }],
    ['sqlite', 'ok', { sqlite: '4.0.0' }],
    ['actor', 'warn', { actor: 'os:root@host' }],
    ['boot_clock', 'warn', { now: { at: NOON, boot_id: '', boot_ms: 0 } }],
    ['filesystem', 'fail', { file: aFile({ filesystem: { type: 0x6969, unsafe: 'NFS' } }) }],
    ['filesystem', 'warn', { file: aFile({ filesystem: { type: null, unsafe: null } }) }],
    ['permissions', 'warn', { file: aFile({ mode: 0o100640 }) }],
    ['permissions', 'warn', { file: aFile({ beside_modes: [0o100644] }) }],
    ['permissions', 'fail', { file: aFile({ directory_mode: 0o40777 }) }],
    ['permissions', 'ok', { file: aFile({ directory_mode: 0o40755 }) }],
    ['permissions', 'warn', { file: aFile({ is_own: false }) }],
    ['space', 'ok', { file: aFile({ free_bytes: 256 * MB }) }],
    ['space', 'warn', { file: aFile({ free_bytes: 256 * MB - 1 }) }],
    ['space', 'warn', { file: aFile({ free_bytes: 16 * MB }) }],
    ['space', 'fail', { file: aFile({ free_bytes: 16 * MB - 1 }) }],
    ['space', 'warn', { file: aFile({ free_bytes: null }) }],
    ['journal', 'warn', { file: aFile({ journal: 'rollback' }) }],
    ['journal', 'warn', { file: aFile({ wal_bytes: 4096, is_open: false }) }],
    ['journal', 'ok', { file: aFile({ wal_bytes: 4096, is_open: true }) }],
    ['journal', 'ok', { file: aFile({ wal_bytes: 64 * MB, is_open: true }) }],
    ['journal', 'warn', { file: aFile({ wal_bytes: 64 * MB + 1, is_open: true }) }],
    ['schema', 'warn', { inside: anInside({ newest_schema: 2 }) }],
    ['pages', 'fail', { inside: anInside({ damages: ['page 5 is never used'] }) }],
    ['incarnation', 'warn', { inside: anInside({ is_home: false }) }],
    ['clock', 'ok', { inside: anInside({ last_commit: null }) }],
    ['clock', 'warn', { now: stampAt(NOON - 1) }],
    ['clock', 'warn', { now: { ...stampAt(NOON), at: NOON + 60_001 } }],
    ['clock', 'ok', { now: { ...stampAt(NOON), at: NOON + 60_000 } }],
    ['receipts', 'warn', { receipts: 1 }],
    ['server', 'ok', { server: aServer() }],
    ['server', 'fail', { server: aServer({ fsync: false }) }],
    ['server', 'warn', { server: aServer({ synchronous_commit: 'off' }) }],
    ['role', 'warn', { server: aServer({ is_replica: true }) }],
    ['role', 'warn', { server: aServer({ is_read_only: true }) }],
    ['role', 'warn', { server: aServer({ trailing_replicas: 1 }) }],
    ['role', 'ok', { server: aServer({ trailing_replicas: null }) }],
    ['way', 'warn', { server: aServer({ is_plain: true }) }],
    ['way', 'ok', { server: aServer({ is_pooled: true }) }],
    ['server_clock', 'ok', { server: aServer({ clock_ahead_ms: -60_000 }) }],
    ['server_clock', 'warn', { server: aServer({ clock_ahead_ms: 60_001 }) }],
  ] as const)('%s is %s', (id, wanted, over) => {
    expect(status(id, over)).toBe(wanted)
  })

  it('say what to do whenever something is not in order', () => {
    const bad = facts({
      node: '18.0.0',
      receipts: 2,
      file: aFile({ mode: 0o100666, free_bytes: 1 }),
      inside: anInside({ is_home: false, damages: ['x', 'y'] }),
    })
    const found = examineHealth(bad).filter(one => one.status !== 'ok')
    expect(found.length).toBeGreaterThan(4)
    expect(found.filter(({ advice }) => advice === null)).toEqual([])
  })

  it('leave out what cannot be looked at, and end with the code of the failure', () => {
    const problem = { code: 'ledger_missing', message: 'no ledger', hint: 'make one', exit_code: 3 } as const
    const found = examineHealth(facts({ location: null, problem, file: null, inside: null, server: null }))
    expect(found.map(({ id }) => id)).toEqual(['node', 'sqlite', 'config', 'actor', 'boot_clock', 'ledger'])
    expect(healthExitCode(found, 12)).toBe(3)
  })

  it('end with the general code where no command would end for it', () => {
    expect(healthExitCode(examineHealth(facts({ file: aFile({ free_bytes: 1 }) })), 12)).toBe(12)
  })
})
