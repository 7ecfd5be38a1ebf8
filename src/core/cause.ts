import type { Operation } from './operation.js'

/** What operations that failed alike have in common: rule of the last error, tool, and host where one is known. */
export function causeOf(operation: Pick<Operation, 'last_error' | 'tool'>): string | null {
  const { last_error, tool } = operation
  if (last_error === null) return null
  return [last_error.rule, tool, last_error.host].filter(part => part !== undefined).join(' ')
}
