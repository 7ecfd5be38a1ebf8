import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aLedger } from '../ledger/support/a-ledger.js'
import { runCli } from './fake-io.js'

export const TOKEN = 'tok_4f9a8b7c6d5e'

/** A ledger with doubts of the last hour, a configuration beside it, and a home of one's own. */
export async function aProbedPlace(yaml: string, ids: readonly string[] = ['op-1']) {
  const ledger = await aLedger(Date.now() - 3_600_000)
  const keys: Record<string, string> = {}
  for (const operation_id of ids) {
    const { operation } = await ledger.lost({
      operation_id,
      input: operation_id,
      contract: { probe: { kind: 'declared when it was sent' } },
    })
    keys[operation_id] = operation.idempotency_key
  }
  const cwd = dirname(ledger.path)
  const config = join(cwd, 'agent-ledger.yaml')
  writeFileSync(config, `ledger: ledger.db\ntools:\n  tickets.create:\n    effect: irreversible\n${yaml}`)
  mkdirSync(join(cwd, 'state'))
  const env = {
    TOKEN,
    XDG_STATE_HOME: join(cwd, 'state'),
    PATH: process.env.PATH ?? '',
    AGENT_LEDGER_BY: 'ana',
  }
  const cli = (argv: readonly string[], more: Parameters<typeof runCli>[1] = {}) =>
    runCli(argv, { cwd, env, ...more })
  return { ledger, cwd, config, keys, cli, trustFile: join(cwd, 'state/agent-ledger/trust.json') }
}
