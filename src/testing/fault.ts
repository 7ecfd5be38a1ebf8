import type { JsonValue } from '../core/json.js'

/** What a call asks for: make an object, read one by its id, look some up by key, name or field, or list all. */
export type Action = 'create' | 'get' | 'find' | 'list'

/** One thing that goes wrong. `stage` says on which way: before the work, or between the work and the client. */
export type Fault =
  /** the connection is cut before the service reads the request: nothing is done */
  | { readonly kind: 'drop_request' }
  /** the work is done, then the connection is cut without one byte of an answer */
  | { readonly kind: 'drop_response' }
  /** the work is done, the status line and half of the body arrive, then the connection is cut */
  | { readonly kind: 'cut_response' }
  /** a proxy delivers the request twice: the service works twice, the client gets the first answer */
  | { readonly kind: 'duplicate' }
  /** the call waits so long; without `ms` until `release()`. On the way in, the work happens even if the client left */
  | { readonly kind: 'delay'; readonly stage: 'request' | 'response'; readonly ms?: number }
  /** this answer instead of the service's own; at stage `request` nothing is done */
  | {
      readonly kind: 'answer'
      readonly stage: 'request' | 'response'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: JsonValue
      /** the service keeps this answer as the one of the key, as Stripe v1 keeps its 500 */
      readonly remembered?: boolean
    }
  /** a look-up does not see what is younger than this */
  | { readonly kind: 'lag'; readonly ms: number }
  /** a look-up by key or name answers with every object of the collection, their keys and names left out, incomplete */
  | { readonly kind: 'ambiguous' }

/** When a fault happens. Data, so that a test can print the rules it ran with. */
export interface FaultRule {
  readonly action: Action
  /** which calls of this action, counted from 1 since the rules were set; absent = every one */
  readonly calls?: readonly number[]
  readonly fault: Fault
}

/** Counts the calls of each action from 1 and names the faults that meet each, in the order of the rules. */
export function countedRules(rules: readonly FaultRule[]): (action: Action) => Fault[] {
  const counts = new Map<Action, number>()
  return action => {
    const call = (counts.get(action) ?? 0) + 1
    counts.set(action, call)
    return rules
      .filter(rule => rule.action === action && (rule.calls === undefined || rule.calls.includes(call)))
      .map(rule => rule.fault)
  }
}

type FaultOf<K extends Fault['kind']> = Extract<Fault, { readonly kind: K }>

/** Those of one kind. */
export function pick<K extends Fault['kind']>(faults: readonly Fault[], kind: K): FaultOf<K>[] {
  return faults.filter((fault): fault is FaultOf<K> => fault.kind === kind)
}
