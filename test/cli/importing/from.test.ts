import { readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'
import { anEffectLedger, CHARGE } from './a-source.js'

describe('--from', () => {
  it.each([
    ['list', ['list', '--unknown']],
    ['show', ['show', CHARGE]],
    ['log', ['log', CHARGE]],
    ['report', ['report']],
  ])('lets %s look at their records as at a ledger', async (_, argv) => {
    const { path } = anEffectLedger({ state: 'indeterminate' })
    const { code, out, err } = await runCli([...argv, '--from', path])
    expect([code, out]).toEqual([0, expect.stringContaining('charge-1')])
    expect(err).toContain('records read as effect-ledger')
  })

  it.each([
    ['status', ['status', '--json']],
    ['tasks', ['tasks', '--json']],
  ])('lets %s count them', async (_, argv) => {
    const { path } = anEffectLedger({ state: 'indeterminate' })
    const { code, out } = await runCli([...argv, '--from', path])
    expect(code).toBe(0)
    expect(JSON.parse(out).ledger).toBe(path)
  })

  it('stores nothing, not even for a moment after', async () => {
    const { path } = anEffectLedger()
    const temporary = aDirectory()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await runCli(['list', '--from', path])).code).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('opens a ledger of this program as it is', async () => {
    const ledger = await aLedger()
    await ledger.lost()
    await ledger.store.close()
    const { code, out } = await runCli(['list', '--unknown', '--from', ledger.path])
    expect([code, out]).toEqual([0, expect.stringContaining('ticket-1')])
  })

  it('gives the same answer as of the same moment', async () => {
    const { path } = anEffectLedger({ state: 'indeterminate' })
    const argv = ['list', '--unknown', '--json', '--as-of', '2026-02-02T00:00:00Z', '--from', path]
    expect((await runCli(argv)).out).toBe((await runCli(argv)).out)
  })

  it.each([
    [['list', '--source', 'effect-ledger'], '--from is not given'],
    [['list', '--from', 'x', '--ledger', 'y'], 'exclude each other'],
    [['status', '--watch', '--from', 'x'], 'exclude each other'],
    [['log', '--follow', '--from', 'x'], 'exclude each other'],
    [['list', '--from', 'x', '--source', 'nobody'], 'does not exist'],
  ])('refuses %j', async (argv, why) => {
    const { code, err } = await runCli(argv)
    expect(code).toBeGreaterThan(1)
    expect(err).toContain(why)
  })
})
