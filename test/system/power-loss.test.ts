import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seeded } from '../proof/seeded.js'
import { bundled } from '../support/bundled.js'
import { createDisk, type Survival } from './power/disk.js'
import { reopened } from './power/reopened.js'
import { type SystemCall, traced } from './trace.js'

const PROGRAM = bundled(join(import.meta.dirname, 'power/agent-program.ts'))
const OPERATIONS = 60
const IMAGES = 320
const SURVIVALS: readonly Survival['name'][] = ['none', 'some', 'torn', 'all']
const SEED = 20_261_129

describe('a power cut at any moment', () => {
  it('takes back nothing that was acknowledged, and leaves a ledger that verifies', async () => {
    const found = await powerCuts('full')
    console.info(`\n${found.images} images with ${found.unsynced} unsynced changes: ${found.lost} lost a row`)
    expect(found.unsynced).toBeGreaterThan(IMAGES)
    expect(found.finds).toEqual([])
  })

  it('would take something back if SQLite synced less, so that this test can see it', async () => {
    const found = await powerCuts('normal')
    console.info(`\n${found.images} images under synchronous=NORMAL: ${found.lost} lost a row`)
    expect(found.lost).toBeGreaterThan(0)
  })
})

/** Traces one run and cuts the power at moments all over it. */
async function powerCuts(synchronous: 'full' | 'normal') {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-power-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const calls = traced(PROGRAM, [join(folder, 'ledger.db'), String(OPERATIONS), synchronous])
  const random = seeded(SEED)
  const cuts = new Set(Array.from({ length: IMAGES }, () => random.below(calls.length)))
  const disk = createDisk(folder)
  const said: string[] = []
  const finds: string[] = []
  let images = 0
  let unsynced = 0
  let lost = 0
  for (const [place, call] of calls.entries()) {
    disk.take(call)
    said.push(...saidIn(call))
    if (!cuts.has(place)) continue
    const name = SURVIVALS[images++ % SURVIVALS.length] ?? 'none'
    unsynced += disk.unsynced()
    const after = await reopened(disk.image({ name, random }), said)
    if (after.lost.length > 0) lost++
    for (const each of [...after.lost, ...after.damage])
      finds.push(`cut after call ${place}, ${name} survives: ${each}`)
  }
  return { images, unsynced, lost, finds }
}

/** What the program says on its standard output is what its caller relies on. */
function saidIn(call: SystemCall): string[] {
  if (call.call !== 'write' || call.fd !== 1) return []
  return call.bytes
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
}
