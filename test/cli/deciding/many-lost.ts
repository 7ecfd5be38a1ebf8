import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const HOUR = 3_600_000

/** Operations mail-1 … mail-n, whose answers were lost two hours ago, and a folder for files. */
export async function manyLost(count: number) {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  for (let n = 1; n <= count; n++) await ledger.lost({ operation_id: `mail-${n}`, input: { n } })
  const folder = aDirectory()
  const cli = (argv: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
    runCli([...argv, '--ledger', ledger.path, '--by', 'ana'], { now: Date.now(), cwd: folder, ...given })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return name
  }
  const statuses = async () =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        return (await ledger.store.operation(`mail-${i + 1}`))?.operation.status
      }),
    )
  return { ...ledger, cli, file, statuses, folder }
}
