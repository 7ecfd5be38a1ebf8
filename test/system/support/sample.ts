import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../../bin/agent-ledger.js')

/** The program's standard output. */
export function programRun(argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...argv], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`agent-ledger ${argv.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** The sample ledger of `agent-ledger demo` in a folder. */
export function sampleLedger(folder: string): string {
  const place = join(folder, 'demo')
  programRun(['demo', place])
  return join(place, 'ledger.db')
}
