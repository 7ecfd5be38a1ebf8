import { ERROR_RULES, isLedgerError, type LedgerError } from '../core/errors.js'
import { type Safe, words } from '../core/safe-text.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import type { Deps } from './deps.js'

export interface LookingOn {
  readonly everyMs: number
  /** false once nobody reads any more; `isAnother`: this is not the ledger of the look before */
  readonly look: (ledger: LedgerForReading, isAnother: boolean) => Promise<boolean>
  /** why the ledger cannot be read now; told once, until a look goes well; default: on stderr */
  readonly tellTrouble?: (why: Safe) => Promise<unknown>
}

/**
 * Looks again and again until the command is told to stop. Each look opens the ledger anew: a connection held open would
 * keep its log from being folded back. A ledger that was read once and cannot be read now (moved away, locked, its server
 * down) is waited for. @throws LedgerError what the first look throws, and later what is no matter of reaching the ledger
 */
export async function lookOn({ everyMs, look, tellTrouble }: LookingOn, deps: Deps): Promise<void> {
  const { signal, say, show } = deps
  const tell = tellTrouble ?? say
  let seen: string | undefined
  let isInTrouble = false
  while (!signal.aborted) {
    try {
      const isRead = await deps.withLedgerForReading(async ledger => {
        const isAnother = seen !== undefined && seen !== ledger.ledgerId
        if (isAnother) await say(words`another ledger stands at ${show(ledger.location)} now`)
        else if (isInTrouble) await say(words`${show(ledger.location)} is there again`)
        seen = ledger.ledgerId
        isInTrouble = false
        return look(ledger, isAnother)
      })
      if (!isRead) return
    } catch (error) {
      if (seen === undefined || !isUnreachable(error)) throw error
      if (!isInTrouble) await tell(words`looking again: ${show(error.message, { max: 400 })}`)
      isInTrouble = true
    }
    await deps.untilWritten(everyMs)
  }
}

/** The exit codes of a ledger that is not there or cannot be read, and of one that stays locked. */
const UNREACHABLE: readonly number[] = [ERROR_RULES.ledger_missing.exitCode, ERROR_RULES.busy.exitCode]

/** It cannot be reached now: moved away, locked, its server down. */
export function isUnreachable(error: unknown): error is LedgerError {
  return isLedgerError(error) && UNREACHABLE.includes(error.exitCode)
}
