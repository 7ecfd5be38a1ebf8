import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LedgerError } from '../core/errors.js'
import { upward } from './upward.js'

/** Names of a configuration file. */
export const CONFIG_NAMES = ['agent-ledger.yaml', 'agent-ledger.yml', 'agent-ledger.json'] as const

export interface ConfigPlace {
  /** `--config`, where it was given */
  readonly config: string | undefined
  readonly cwd: string
}

/**
 * The configuration file in use: the one named, else the nearest upward; undefined where there is none.
 * Throws `invalid_config` for one named that is not there, and for a folder that holds two.
 */
export function findConfig({ config, cwd }: ConfigPlace): string | undefined {
  if (config !== undefined) {
    const path = resolve(cwd, config)
    if (!isThere(path))
      throw new LedgerError('invalid_config', `there is no file ${path}`, {
        path,
        hint: 'Name an existing file with --config, or leave it out.',
      })
    return path
  }
  for (const folder of upward(cwd)) {
    const [path, other] = CONFIG_NAMES.map(name => join(folder, name)).filter(isThere)
    if (other !== undefined)
      throw new LedgerError('invalid_config', `${folder} holds two configurations: ${path} and ${other}`, {
        path: folder,
        hint: 'Keep one of them, or name one with --config.',
      })
    if (path !== undefined) return path
  }
  return undefined
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
