import { EXIT_CODES } from '../../src/cli/exit-codes.js'
import { table } from './with-block.js'

/** Every exit code with its one meaning. */
export function exitCodeTable(): string {
  return table(
    ['exit', 'means'],
    EXIT_CODES.map(({ code, means }) => [String(code), means]),
  )
}
