import { decisionDocument } from '../../../src/core/documents/decision-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { runCli } from '../fake-io.js'

const HOUR = 3_600_000

/** A real ledger whose clock began some time ago, and the command line on it. */
export async function open(agoMs = 2 * HOUR) {
  const ledger = await aLedger(Date.now() - agoMs)
  const cli = (argv: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
    runCli([...argv, '--ledger', ledger.path, '--by', 'ana'], { now: Date.now(), ...given })
  const json = async (...argv: readonly string[]) => {
    const { code, out, err } = await cli([...argv, '--json'])
    return { code, err, document: out === '' ? undefined : decisionDocument.parse(JSON.parse(out)) }
  }
  const operation = async (id = 'ticket-1') => (await ledger.store.operation(id))?.operation
  return { ...ledger, cli, json, operation }
}
