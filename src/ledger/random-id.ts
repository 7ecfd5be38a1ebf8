import { looksRandom } from '../core/operation-id.js'
import type { Session } from './session.js'

/** Warns of an operation id that a replay would make anew: it would protect nothing. */
export function warnOfRandomId({ warn }: Pick<Session, 'warn'>, operation_id: string): void {
  if (!looksRandom(operation_id)) return
  const message = `the operation id ${operation_id} looks made by chance: after a restart the same step must come to the same id, see operationId()`
  warn({ code: 'random_id', message, operation_id })
}
