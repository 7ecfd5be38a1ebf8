import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { SetUp } from '../kit/incident.js'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/temporal/start-to-close/history.json')
const OURS = 'temporal:01a22bca-f222-7022-a6d7-b9c6697f0c2e/5.1048598'
const BODY = { order: 7 }

/**
 * A real history of Temporal: the activity ran into its start-to-close limit, and its write happened after it. Temporal
 * says failed; a completion that comes later is refused and never recorded.
 */
export const setUp: SetUp = async stage => {
  stage.at('2h')
  const service = await stage.service()
  const charge = () => fetch(`${service.url}/charges`, { method: 'POST', body: JSON.stringify(BODY) })
  stage.tools(
    `  chargeSlowly:\n    effect: compensable\n    look_here: { check: "curl -s '${service.url}/charges'" }\n`,
  )
  stage.file('history.json', happened(readFileSync(FIXTURE, 'utf8'), stage.now()))
  await charge()
  await (await stage.as('nightly import')).close()
  await execa('agent-ledger', ['import', 'history.json'], { cwd: stage.folder, env: stage.env })
  // Started as a new workflow, the activity asks the ledger before it charges.
  return async () => {
    const ledger = await stage.again()
    if ((await ledger.show(OURS)).document.status === 'not_executed') await charge()
  }
}

/** The history as if it had begun at this moment, to the millisecond. */
function happened(history: string, at: number): string {
  const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
  const [first = ''] = history.match(times) ?? []
  return history.replace(times, time => new Date(Date.parse(time) - Date.parse(first) + at).toISOString())
}
