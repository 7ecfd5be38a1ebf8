import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openLedger } from '../../src/ledger.js'
import { archivedIn, checkArchive } from '../../src/store/read-archive.js'
import { closed, over } from '../store/support/kept.js'
import { aLedger } from './support/a-ledger.js'

const PROGRAM = fileURLToPath(new URL('./support/prune-program.ts', import.meta.url))
const IDS = Array.from({ length: 250 }, (_, n) => `op-${n}`)

async function aPast(): Promise<string> {
  const { store, path } = await aLedger()
  for (const [n, id] of IDS.entries()) await over(store, id, 10 * n)
  await closed(store, 10_000)
  await store.close()
  return path
}

/** How the process ended: its code, or the signal. */
async function prunes(...argv: readonly string[]): Promise<number | string> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...argv], { stdio: 'inherit' })
  const [code, signal] = await once(child, 'exit')
  return code ?? signal
}

describe('archiving that is killed', () => {
  it.each([
    ['while the archive is written', 'archiving', 100, 250, false],
    ['before anything is removed', 'checking', 0, 250, true],
    ['after the first commit that removes', 'removing', 0, 150, true],
    ['after the second', 'removing', 1, 50, true],
  ])('%s loses nothing, and goes on by the same call', async (_, stage, count, left, isArchived) => {
    const path = await aPast()
    const archive = join(path, '..', 'past.jsonl')
    expect(await prunes(path, archive, stage, String(count))).toBe('SIGKILL')
    expect(existsSync(archive)).toBe(isArchived)
    const ledger = await openLedger(path, { actor: 'ana' })
    expect((await ledger.verify()).findings).toEqual([])
    expect((await ledger.verify()).checked.operations).toBe(left)
    const done = await ledger.prune({ settledBefore: Date.now(), archive })
    expect(done).toMatchObject({ removed: { operations: left }, removed_before: 250 - left, left: [] })
    expect((await ledger.verify()).findings).toEqual([])
    await ledger.close()
    expect((await checkArchive(archive)).findings).toEqual([])
    const kept: string[] = []
    for await (const { operation_id } of archivedIn(archive)) kept.push(operation_id)
    expect(kept).toEqual(IDS)
  })
})
