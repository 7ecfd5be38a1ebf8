import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const PROGRAM = join(import.meta.dirname, '../../../bin/agent-ledger.js')
const OPERATIONS = 120

/** Large enough that a backup of it can be caught at work. */
async function aLargeLedger() {
  const ledger = await aLedger()
  for (let n = 0; n < OPERATIONS; n++)
    await ledger.lost({ operation_id: `op-${n}`, input: { n, text: 'x'.repeat(200_000) } })
  await ledger.store.close()
  return ledger.path
}

const MOMENTS: readonly [name: string, isMoment: (bytes: number) => boolean][] = [
  ['begins', () => true],
  ['has copied all of it', bytes => bytes >= OPERATIONS * 200_000],
]

it.each(MOMENTS)(
  'P7: a backup that is killed when it %s leaves nothing under the name, and can be made again',
  async (_, isMoment) => {
    const path = await aLargeLedger()
    const folder = aDirectory()
    const output = join(folder, 'copy.db')
    const child = spawn(process.execPath, [PROGRAM, 'backup', '--ledger', path, '--output', output])
    const ended = once(child, 'exit')
    const unfinished = (): string[] =>
      readdirSync(folder).filter(name => /^copy\.db\.new-[0-9a-f]{12}$/.test(name))
    while (child.exitCode === null) {
      const [name] = unfinished()
      if (name !== undefined && isMoment(statSync(join(folder, name)).size)) break
      await sleep(1)
    }
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(existsSync(output)).toBe(false)
    expect(unfinished()).toHaveLength(1)
    const { code, out } = await runCli(['backup', '--ledger', path, '--output', output])
    expect([code, out]).toEqual([0, expect.stringContaining(`${OPERATIONS} operations`)])
    expect((await runCli(['verify', '--ledger', output])).code).toBe(0)
  },
)
