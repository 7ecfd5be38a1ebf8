import type { OperationStatus } from '../../core/operation.js'
import type { Param } from '../engine.js'

/** Values of a query that is put together: each gets its `$n`. */
export class Params {
  readonly values: Param[] = []

  add(value: Param): string {
    const known = this.values.indexOf(value)
    if (known >= 0) return `$${known + 1}`
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** `'a', 'b'`: words of the model, not values of a caller, so that partial indexes can be used. */
export function literals(statuses: readonly OperationStatus[]): string {
  return statuses.map(status => `'${status}'`).join(', ')
}
