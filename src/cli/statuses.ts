import { OPERATION_STATUSES, type OperationStatus } from '../core/operation.js'
import { choice, commaList } from './parameters.js'

/** Words of other systems. What they call failed may have happened or not: both are meant. */
const OTHER_WORDS: Readonly<Record<string, readonly OperationStatus[]>> = {
  running: ['in_flight'],
  succeeded: ['confirmed'],
  failed: ['unknown', 'not_executed'],
}

/** The words that `--status` takes, for help and completion. */
export const STATUS_WORDS = [...OPERATION_STATUSES, ...Object.keys(OTHER_WORDS)]

/** `unknown,in-flight,failed`: statuses divided by commas, with `-` or `_`, each once. */
export function statuses(text: string, name: string): readonly OperationStatus[] {
  const read = choice(STATUS_WORDS)
  const words = commaList(text, name).map(word => read(word, name))
  const meant = words.flatMap(
    word => OTHER_WORDS[word] ?? OPERATION_STATUSES.filter(status => status === word),
  )
  return [...new Set(meant)]
}
