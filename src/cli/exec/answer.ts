import { constants } from 'node:os'
import { LedgerError } from '../../core/errors.js'
import type { CommandEnd } from '../../core/exit-verdict.js'
import { words } from '../../core/safe-text.js'
import { shellWord } from '../../core/shell-word.js'
import type { Executed } from '../../ledger/exec-call.js'
import type { Deps } from '../deps.js'

const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

/** What a shell would end with. */
export function exitCodeOf(end: CommandEnd): number {
  switch (end.kind) {
    case 'exited':
      return end.code
    case 'signalled':
      return 128 + (Object.entries(constants.signals).find(([name]) => name === end.signal)?.[1] ?? 0)
    case 'not_started':
      return end.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE
  }
}

export interface Asked {
  readonly id: string
  /** what it printed is its result */
  readonly isPrinted: boolean
}

/** The command was not run: its record answers. @throws LedgerError conflict while it is in flight, refused otherwise */
export async function answerInstead(
  outcome: Executed['outcome'],
  { id, isPrinted }: Asked,
  { io, say, show }: Deps,
): Promise<number> {
  if (outcome.status !== 'confirmed') throw whyNot(outcome)
  await say(words`${show(id)} is confirmed already (by ${show(outcome.by)}): not run again`)
  const { result } = outcome
  if (isPrinted && result === undefined) await say(words`what it printed is not on record`)
  if (isPrinted && result !== undefined)
    await io.stdout.pass(Buffer.from(typeof result === 'string' ? result : `${JSON.stringify(result)}\n`))
  return 0
}

function whyNot(outcome: Exclude<Executed['outcome'], { status: 'confirmed' }>): LedgerError {
  // Not always the one that was asked for: it may be the same write under an earlier id.
  const id = outcome.next_action.operation_id
  const hint = `Look: agent-ledger show ${shellWord(id)}`
  switch (outcome.status) {
    case 'in_progress':
      return new LedgerError('conflict', `${id} is in flight elsewhere: not run`, {
        id,
        rule: 'in_flight_elsewhere',
        hint: 'Wait until its executor says how it ended, or its lease ends.',
      })
    case 'unknown':
      return new LedgerError('refused', `${id} is in doubt: not run (${outcome.next_action.reason})`, {
        id,
        rule: 'in_doubt',
        hint,
        facts: { attempts: outcome.next_action.attempts, next_action: outcome.next_action.next_action },
      })
    case 'waiting':
    case 'not_executed':
      return new LedgerError('refused', `${id} was not run: ${outcome.reason}`, {
        id,
        rule: outcome.status,
        hint,
      })
    case 'cancelled':
    case 'abandoned':
    case 'unrecorded':
      return new LedgerError('refused', `${id} is ${outcome.status}: not run`, {
        id,
        rule: outcome.status,
        hint,
      })
  }
}

/** How it ended, where that is not simply done. */
export async function tell(outcome: Executed['outcome'], id: string, { say, show }: Deps): Promise<void> {
  const look = words`agent-ledger show ${show(shellWord(id))}`
  switch (outcome.status) {
    case 'confirmed':
      return
    case 'unknown':
      return say(words`${show(id)} is in doubt: ${show(outcome.next_action.reason)}; look: ${look}`)
    case 'unrecorded':
      return say(words`${show(id)} is done, and the ledger could not record it: ${show(outcome.command)}`)
    case 'waiting':
      return say(words`${show(id)} is not settled: ${show(outcome.reason)}; look: ${look}`)
    case 'not_executed':
      return say(words`${show(id)} was not executed: ${show(outcome.reason)}`)
    case 'in_progress':
    case 'cancelled':
    case 'abandoned':
      return say(
        words`${show(id)} was decided elsewhere while it ran: ${show(outcome.status)}; look: ${look}`,
      )
  }
}
