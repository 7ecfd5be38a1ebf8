import { type Executed, exec } from '../execute/exec.js'
import type { CommandLine } from '../execute/exec-child.js'
import type { Executor } from '../execute/executor.js'
import { signalGroup } from '../host.js'
import { askingOf, type Call, DEFAULT_WAIT_FOR_RETRY_MS, intentOf } from './call.js'
import { warnOfRandomId } from './random-id.js'
import type { Session } from './session.js'

export type { Executed } from '../execute/exec.js'

/** A command line to guard. */
export interface GuardedCommand extends Omit<CommandLine, 'signalGroup' | 'stdout' | 'stderr'> {
  /** which of its streams pass through us; `isRead`: what it prints on stdout is asked for */
  readonly taps: (asked: { readonly isRead: boolean }) => Pick<CommandLine, 'stdout' | 'stderr'>
  /** default: none */
  readonly resultFrom?: 'stdout' | 'none'
}

/** Guards a command line, with the meaning of its exit codes from the configuration of the tool. */
export function execCall(
  session: Session,
  executor: Executor,
  { call, command }: { readonly call: Call; readonly command: GuardedCommand },
): Promise<Executed> {
  const intent = intentOf(session, call, 'exec')
  warnOfRandomId(session, intent.operation_id)
  const { exit_codes = {} } = session.config.tools[call.tool] ?? {}
  const { ids = [] } = intent.contract
  const { taps, resultFrom = 'none', ...line } = command
  return exec(executor, {
    intent,
    asking: askingOf(call),
    lease_ms: call.leaseMs ?? session.config.lease_ms,
    wait_ms: call.waitForRetryMs ?? DEFAULT_WAIT_FOR_RETRY_MS,
    command: { ...line, ...taps({ isRead: resultFrom === 'stdout' || ids.length > 0 }), signalGroup },
    contract: exit_codes,
    resultFrom,
  })
}
