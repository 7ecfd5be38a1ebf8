import { dirname } from 'node:path'
import { LedgerError } from '../core/errors.js'
import { type ConfigPlace, findConfig } from './find.js'
import { ledgerFrom, ledgerKey } from './ledger-key.js'
import { readConfigText } from './read.js'

/**
 * The ledger that the configuration in use names, without checking the rest of it; null where there is none, or it
 * names none. Throws `invalid_config` for a file that cannot be read.
 */
export async function namedLedger(
  place: ConfigPlace,
): Promise<{ readonly ledger: string; readonly config: string } | null> {
  const config = findConfig(place)
  if (config === undefined) return null
  const text = readConfigText(config)
  const key = ledgerKey(text)
  const value = key === 'unsure' ? await wholeLook(text, config) : key.value
  return value === null ? null : { ledger: ledgerFrom(value, dirname(config)), config }
}

async function wholeLook(text: string, config: string): Promise<string | null> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined)
    throw new LedgerError('invalid_config', `${config} has a mistake: ${error.message.split('\n')[0]}`, {
      path: config,
    })
  const value: unknown = document.get('ledger')
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.trim() === '')
    throw new LedgerError('invalid_config', `${config}: ledger must be a text`, { path: config })
  return value.trim()
}
