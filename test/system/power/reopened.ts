import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isLedgerError, openLedger } from '../../../src/index.js'

/** What was found when a ledger was opened again after the power came back. */
export interface Reopened {
  /** what had been acknowledged before and is not there any more, or not as it was said */
  readonly lost: readonly string[]
  /** what does not verify, or why it could not be opened */
  readonly damage: readonly string[]
}

/** Opens an image as a program does that starts again, and looks for everything that was acknowledged. */
export async function reopened(
  image: ReadonlyMap<string, Buffer>,
  said: readonly string[],
): Promise<Reopened> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-image-'))
  try {
    mkdirSync(folder, { recursive: true })
    for (const [path, bytes] of image) writeFileSync(join(folder, basename(path)), bytes, { mode: 0o600 })
    return await lookedAt(join(folder, 'ledger.db'), said)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function lookedAt(path: string, said: readonly string[]): Promise<Reopened> {
  try {
    const ledger = await openLedger(path, { create: false })
    const { operations } = await ledger.list({ show: 'all' })
    const { findings } = await ledger.verify()
    await ledger.close()
    const statuses = new Map(operations.map(({ operation_id, status }) => [operation_id, status]))
    return {
      lost: said.filter(line => !isKept(line, statuses)),
      damage: findings.map(each => JSON.stringify(each)),
    }
  } catch (error) {
    if (!isLedgerError(error)) throw error
    // before the making was acknowledged there need not be one
    if (error.code === 'ledger_missing') return { lost: said, damage: [] }
    return { lost: said, damage: [error.message] }
  }
}

function isKept(line: string, statuses: ReadonlyMap<string, string>): boolean {
  const [word = '', id = ''] = line.split(' ')
  if (word === 'made') return true
  const now = statuses.get(id)
  return word === 'sent' ? now !== undefined && now !== 'prepared' : now === word
}
