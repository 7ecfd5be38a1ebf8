/** contracts@1: what is declared of every tool, those first of which nobody can find out what a lost answer was. */
export interface ContractsDocument {
  readonly tools: readonly ContractItem[]
  /** tools without an answer */
  readonly unanswered: number
}

export interface ContractItem {
  readonly tool: string
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
] as const satisfies readonly (keyof ContractsDocument)[]
