import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isOrphaned } from '../../src/core/in-doubt.js'
import { isOwnerGone, systemClock } from '../../src/host.js'
import { aChild, effectsOf, ranTo } from './support/children.js'
import { aCall, aLedger, aPath, counting, recordOf } from './support/ledgers.js'

interface Case {
  readonly crashAt: string
  readonly effects: number
  readonly status: string
}

describe('a process killed', () => {
  it.each<Case>([
    { crashAt: 'in_handler', effects: 0, status: 'unknown' },
    { crashAt: 'after_change_1', effects: 0, status: 'unknown' },
    { crashAt: 'after_effect', effects: 1, status: 'unknown' },
    { crashAt: 'before_change_2', effects: 1, status: 'unknown' },
    { crashAt: 'after_change_2', effects: 1, status: 'confirmed' },
  ])(
    'at $crashAt leaves $effects effects, and the next run does not run the handler again',
    async expected => {
      const { path, world } = aPlace()
      expect((await ranTo({ path, world, role: 'effect', crashAt: expected.crashAt })).signal).toBe('SIGKILL')
      expect(effectsOf(world)).toHaveLength(expected.effects)
      const { ledger, store } = await aLedger({ path })
      const { calls, handler } = counting({ id: 'T-2' })
      expect(await ledger.run(aCall(), handler)).toMatchObject({ status: expected.status })
      expect(calls).toEqual([])
      expect((await recordOf(store)).operation.may_have_applied).toBe(true)
    },
  )

  it('before anything was written leaves nothing, and the next run does the work once', async () => {
    const { path, world } = aPlace()
    expect((await ranTo({ path, world, role: 'effect', crashAt: 'before_change_1' })).signal).toBe('SIGKILL')
    expect((await ranTo({ path, world, role: 'effect' })).said).toMatchObject({
      status: 'confirmed',
      replayed: false,
    })
    expect(effectsOf(world)).toHaveLength(1)
  })

  it('is seen to be gone at once, long before its lease ends', async () => {
    const { path, world } = aPlace()
    await ranTo({ path, world, role: 'effect', crashAt: 'after_effect' })
    const { store } = await aLedger({ path })
    const { operation } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'in_flight' })
    expect(operation.lease_expires_at).toBeGreaterThan(Date.now() + 30_000)
    expect(isOrphaned(operation, { now: systemClock()(), isOwnerGone })).toBe(true)
  })

  it('leaves the reason and the holder as evidence when the next run finds it', async () => {
    const { path, world } = aPlace()
    await ranTo({ path, world, role: 'effect', crashAt: 'after_effect' })
    const { ledger, store } = await aLedger({ path })
    await ledger.run(aCall(), () => 1)
    const { operation, attempts, evidence } = await recordOf(store)
    expect(operation.last_error).toMatchObject({ rule: 'owner_gone', attempt: 1 })
    expect(attempts).toMatchObject([{ end: 'ambiguous' }])
    expect(evidence).toMatchObject([
      {
        kind: 'lease',
        origin: 'observed',
        attempt: 1,
        body: { why: 'owner_gone', owner: attempts[0]?.owner },
      },
    ])
  })

  it('while another asks: in progress while it lives, in doubt once it is gone', async () => {
    const { path, world } = aPlace()
    const child = aChild({ path, world, role: 'waiting' })
    await child.until('in the handler')
    const { ledger } = await aLedger({ path })
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'in_progress' })
    await child.kill()
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'unknown' })
    expect(calls).toEqual([])
    expect(effectsOf(world)).toHaveLength(1)
  })
})

describe('a run that goes on after a crash of its caller', () => {
  it('finds the result of the finished one', async () => {
    const { path, world } = aPlace()
    await ranTo({ path, world, role: 'effect' })
    const { ledger } = await aLedger({ path })
    expect(await ledger.run(aCall(), () => ({ id: 'another' }))).toMatchObject({
      status: 'confirmed',
      result: { id: 'T-1' },
      replayed: true,
    })
  })
})

describe('two processes that race for the same operations', () => {
  it('carry each out once', async () => {
    const { path, world } = aPlace()
    const children = [1, 2].map(() => aChild({ path, world, role: 'racing' }))
    await Promise.all(children.map(child => child.until('ready')))
    for (const child of children) child.tell()
    const outcomes = (await Promise.all(children.map(child => child.end()))).map(({ said }) => said)
    const effects = effectsOf(world)
    expect(effects).toHaveLength(200)
    expect(new Set(effects).size).toBe(200)
    const all = outcomes.flat()
    expect(all.filter(outcome => outcome === 'confirmed')).toHaveLength(200)
    expect(all.every(outcome => ['confirmed', 'replayed', 'in_progress'].includes(String(outcome)))).toBe(
      true,
    )
    expect(all).toContain('in_progress')
  })
})

function aPlace() {
  const path = aPath()
  return { path, world: join(dirname(path), 'effects.txt') }
}
