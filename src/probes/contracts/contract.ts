import type { IdPlace, ServiceRule } from '../../core/classify/service-rule.js'
import type { Effect, Repeat } from '../../core/operation.js'
import type { SingleProbe } from '../../core/probe.js'

export interface Parameter {
  readonly means: string
  /** what stands for it where `with:` does not say; without one it has to be given. Empty: it is left out */
  readonly default?: string
}

/** A document that a contract rests on. */
export interface Source {
  readonly url: string
  /** month in which it was read; null: known, and not read again for this */
  readonly read: string | null
}

/** A service as data: what it promises, what its answers mean, how it is asked, and where that stands. */
export interface ServiceContract {
  readonly title: string
  /** raised when what it says changes; kept with every reading */
  readonly version: number
  /** the parameters of `with:`; `{with.name}` is exchanged for them wherever a text of the contract has it */
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly effect: Effect
  readonly repeat: Repeat
  /** how long after its last byte a request may still arrive */
  readonly arrival_ms: number | 'unbounded'
  /** it takes requests into a queue before it looks at them */
  readonly queues?: true
  readonly classify?: readonly ServiceRule[]
  /** where external ids stand in what it answers to the write; named as the probe names them */
  readonly ids: readonly IdPlace[]
  /** where the write has to carry the operation, in words; what the probe looks for */
  readonly marker: string
  readonly look_here: { readonly url?: string; readonly check?: string }
  /** asked together; grade, settle and keeps stand in each */
  readonly probes: readonly SingleProbe[]
  /** what its answers mean, and what they cannot say; docs/contracts.md prints it */
  readonly answers: readonly string[]
  readonly sources: readonly Source[]
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Marks in texts that people write too: a comment of HTML is kept by the service and shown to nobody. */
export const HIDDEN_MARK = '<!-- agent-ledger:{operation_id} -->'
