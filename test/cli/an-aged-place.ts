import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseConfig } from '../../src/config/load.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { runCli } from './fake-io.js'

export const SECOND = 1_000

/** A ledger whose clock began so long ago, a configuration beside it, and the command line on both. */
export async function anAgedPlace(agoMs: number, tools: string) {
  const began = Date.now() - agoMs
  const ledger = await aLedger(began)
  const cwd = dirname(ledger.path)
  const path = join(cwd, 'agent-ledger.yaml')
  const text = `ledger: ledger.db\ntools:\n${tools}`
  writeFileSync(path, text)
  mkdirSync(join(cwd, 'state'))
  const env = { XDG_STATE_HOME: join(cwd, 'state'), AGENT_LEDGER_BY: 'ana' }
  const cli = (argv: readonly string[]) => runCli(argv, { cwd, env, now: Date.now() })
  const at = (ms: number) => ['--as-of', new Date(began + ms).toISOString()]
  return { ledger, began, at, cli, tools: parseConfig(text, path).tools }
}
