import { ERROR_RULES } from '../../src/core/errors.js'
import { table } from './with-block.js'

/** Each error code with the exit code a command ends with and what to do next. */
export function errorTable(): string {
  const rows = Object.entries(ERROR_RULES).map(([code, { exitCode, title, hint }]) => [
    `\`${code}\``,
    String(exitCode),
    title,
    hint,
  ])
  return table(['code', 'exit', 'what', 'what to do next'], rows)
}
