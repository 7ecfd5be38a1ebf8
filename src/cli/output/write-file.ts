import { closeSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { confirm } from '../confirm.js'
import type { Deps } from '../deps.js'

/**
 * Writes a result to a file that only its owner can read: what stands in a ledger is not for everybody. A file that is
 * there is replaced after a yes, and whole: whoever reads it meanwhile sees the old one or the new one.
 * @throws LedgerError needs_confirmation, declined, invalid_input where the file cannot be written
 */
export async function writeFile(path: string, text: string, deps: Deps): Promise<void> {
  const target = resolve(deps.io.cwd, path)
  if (tryWrite(target, text)) return
  await confirm({ decision: words`Replace ${deps.show(target)}` }, deps)
  const aside = `${target}.${process.pid}.new`
  if (!tryWrite(aside, text)) throw unwritable(aside, 'it is there already')
  try {
    renameSync(aside, target)
  } catch (cause) {
    unlinkSync(aside)
    throw unwritable(target, messageOf(cause), cause)
  }
}

/** False: a file is there already, and was left as it is. */
function tryWrite(path: string, text: string): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw unwritable(path, messageOf(cause), cause)
  }
  try {
    writeFileSync(file, text)
  } catch (cause) {
    unlinkSync(path)
    throw unwritable(path, messageOf(cause), cause)
  } finally {
    closeSync(file)
  }
  return true
}

function unwritable(path: string, why: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_input', `${path} cannot be written: ${why}`, {
    path,
    hint: 'Name a file in a folder that is there and that you may write.',
    cause,
  })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
