import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isUrl } from '../config/ledger-key.js'
import { namedLedger } from '../config/named-ledger.js'
import { upward } from '../config/upward.js'
import { LedgerError } from '../core/errors.js'

/** Where a ledger is kept when nobody says otherwise. */
export const USUAL_PLACE = join('.agent-ledger', 'ledger.db')

/** What a person said about which ledger they mean. */
export interface LedgerWishes {
  /** `--ledger` */
  readonly ledger: string | undefined
  /** `--config` */
  readonly config: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** A ledger that was named, and by what. */
export interface NamedLedger {
  /** an absolute path, or a URL */
  readonly location: string
  /** `--ledger`, `AGENT_LEDGER`, or the path of the configuration */
  readonly by: string
}

/**
 * The ledger in use: --ledger, else AGENT_LEDGER, else what the nearest configuration names, else the nearest
 * `.agent-ledger/ledger.db` upward. Throws `ledger_missing` with the places searched; a file that was named and is not
 * there is missing, never passed over.
 */
export async function findLedger(wishes: LedgerWishes): Promise<string> {
  const named = await namedByPerson(wishes)
  if (named !== undefined) {
    if (isUrl(named.location) || existsSync(named.location)) return named.location
    throw new LedgerError('ledger_missing', `there is no ledger ${named.location} (named by ${named.by})`, {
      path: named.location,
      hint: `Correct ${named.by}, or make the ledger there with \`agent-ledger init\`.`,
    })
  }
  for (const folder of upward(wishes.cwd)) {
    const path = join(folder, USUAL_PLACE)
    if (existsSync(path)) return path
  }
  throw new LedgerError('ledger_missing', 'no ledger was found', { facts: { searched: searched(wishes) } })
}

/** The ledger that --ledger, AGENT_LEDGER or the configuration names, there or not; undefined where none does. */
export async function namedByPerson({
  ledger,
  config,
  env,
  cwd,
}: LedgerWishes): Promise<NamedLedger | undefined> {
  if (ledger !== undefined) return { location: located(ledger, cwd), by: '--ledger' }
  const fromEnv = env.AGENT_LEDGER ?? ''
  if (fromEnv !== '') return { location: located(fromEnv, cwd), by: 'AGENT_LEDGER' }
  const fromConfig = await namedLedger({ config, cwd })
  return fromConfig === null ? undefined : { location: fromConfig.ledger, by: fromConfig.config }
}

function located(location: string, cwd: string): string {
  return isUrl(location) ? location : resolve(cwd, location)
}

function searched({ config, cwd }: LedgerWishes): string[] {
  const here = resolve(cwd)
  return [
    '--ledger: not given',
    'AGENT_LEDGER: not set',
    config === undefined
      ? `agent-ledger.yaml in ${here} and the folders above it: none that names a ledger`
      : `${resolve(cwd, config)}: names no ledger`,
    `${join(here, USUAL_PLACE)} and the same in the folders above: not there`,
  ]
}
