import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { loadConfig } from '../config/load.js'
import type { HealthFacts, Problem } from '../core/health/facts.js'
import { isRemote } from '../core/shown-url.js'
import { systemClock } from '../host.js'
import { examineLedger, problemOf, shownPlace } from '../ledger/examining.js'
import type { Deps } from './deps.js'
import { findLedger, type LedgerWishes } from './find-ledger.js'

/** Everything `doctor` judges. What cannot be found out is a fact too; only a bug throws. */
export async function healthFacts({ io, global, waitMs, actor }: Deps): Promise<HealthFacts> {
  const wishes = { ledger: global.ledger, config: global.config, env: io.env, cwd: io.cwd }
  const config = readConfig(wishes)
  const ledger = await located(wishes)
  const uid = process.getuid?.() ?? null
  const { problem, ...examined } = await examineLedger({ location: ledger.location, uid, waitMs })
  const now = systemClock()()
  return {
    node: process.versions.node,
    // The clock that counts for the ledger.
    now: { ...now, at: now.at + (examined.server?.clock_ahead_ms ?? 0) },
    actor: await actor(config.read.identity),
    config: { path: config.read.path ?? null, problem: config.problem },
    location: ledger.location === null ? null : withoutPassword(ledger.location),
    problem: ledger.problem ?? problem,
    ...examined,
  }
}

/** As everywhere else; a path of a file is none of this. */
function withoutPassword(location: string): string {
  return isRemote(location) ? shownPlace(location) : location
}

function readConfig(wishes: LedgerWishes): { readonly read: LedgerConfig; readonly problem: Problem | null } {
  try {
    return { read: loadConfig(wishes), problem: null }
  } catch (error) {
    return { read: NO_CONFIG, problem: problemOf(error) }
  }
}

async function located(
  wishes: LedgerWishes,
): Promise<{ readonly location: string | null; readonly problem: Problem | null }> {
  try {
    return { location: await findLedger(wishes), problem: null }
  } catch (error) {
    return { location: null, problem: problemOf(error) }
  }
}
