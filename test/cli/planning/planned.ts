import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPlan } from '../../../src/config/plan-file.js'
import { applyDocument } from '../../../src/core/documents/apply-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const HOUR = 3_600_000

/** Operations mail-1 … mail-n, whose answers were lost two hours ago, a folder for plans, and the command line. */
export async function lostMails(count: number) {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  for (let n = 1; n <= count; n++)
    await ledger.lost({ operation_id: `mail-${n}`, task_id: 'news', input: { n } })
  const folder = aDirectory()
  const cli = (argv: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
    runCli([...argv, '--ledger', ledger.path, '--by', 'ana'], { now: Date.now(), cwd: folder, ...given })
  const operation = async (id: string) => (await ledger.store.operation(id))?.operation
  return {
    ...ledger,
    cli,
    folder,
    operation,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    /** a plan that says of all in doubt that they did not happen */
    planAll: (name = 'p.jsonl') => cli(['plan', 'resolve', '--unknown', ...SETTLED, '--output', name]),
  }
}

export const SETTLED = [
  '--as',
  'not-executed',
  '--evidence',
  'ticket:OPS-12',
  '--reason',
  'it was down',
] as const

export const results = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map(line => applyDocument.parse(JSON.parse(line)))

/** The decisions of a plan that is as it was made. */
export async function itemsOf(path: string) {
  const plan = await openPlan(path)
  try {
    const items = []
    for await (const item of plan.items()) items.push(item)
    return items
  } finally {
    await plan.close()
  }
}
