/** contracts@1: what is declared of every tool, those first of which nobody can find out what a lost answer was. */
export interface ContractsDocument {
  readonly tools: readonly ContractItem[]
  /** tools without an answer */
  readonly unanswered: number
  /** the ready contracts of services */
  readonly services: readonly ServiceItem[]
}

/** A ready contract; durations in words. */
export interface ServiceItem {
  readonly service: string
  readonly title: string
  readonly version: number
  readonly effect: string
  readonly repeat: string
  /** where the write has to carry the operation */
  readonly marker: string
  readonly grade: string
  /** how long its records may lag behind */
  readonly settle: string
  /** how long a request may still arrive */
  readonly arrival: string
  /** how long its records are kept; null: for good */
  readonly keeps: string | null
  /** parameters of `with:` by name, with what they mean; those without a default have to be given */
  readonly parameters: Readonly<Record<string, { readonly means: string; readonly default: string | null }>>
  readonly sources: readonly string[]
}

export interface ContractItem {
  readonly tool: string
  /** the ready contract it names; null: none */
  readonly service: string | null
  /** false: it stands in the ledger, and not in the configuration in use */
  readonly declared: boolean
  /** is an operation of it in the ledger? */
  readonly seen: boolean
  readonly in_doubt: number
  readonly effect: string | null
  /** what a repeat does, in words; null: nobody declared it */
  readonly repeat: string | null
  /** kinds of its probes; empty: it has none */
  readonly probe: readonly string[]
  /** can a machine find out what became of a lost answer? */
  readonly answered: boolean
  /** what happens when its response is lost */
  readonly when_lost: string
}

export const CONTRACTS_FIELDS = [
  'tools',
  'unanswered',
  'services',
] as const satisfies readonly (keyof ContractsDocument)[]
