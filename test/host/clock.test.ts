import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { monotonicMs, systemClock } from '../../src/host.js'

describe('the clock of this machine', () => {
  it('names the boot and counts from it', () => {
    const { at, boot_id, boot_ms } = systemClock()()
    expect(boot_id).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 13))
    const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000
    expect(boot_ms).toBeLessThanOrEqual(uptimeMs + 10)
    expect(uptimeMs - boot_ms).toBeLessThan(5_000)
    expect([Number.isInteger(at), Number.isInteger(boot_ms)]).toEqual([true, true])
  })

  it('moves both clocks on', async () => {
    const clock = systemClock()
    const [first, mono] = [clock(), monotonicMs()]
    await sleep(50)
    const second = clock()
    expect(second.boot_ms).toBeGreaterThan(first.boot_ms)
    expect(second.at).toBeGreaterThan(first.at)
    expect(monotonicMs()).toBeGreaterThan(mono)
  })
})
