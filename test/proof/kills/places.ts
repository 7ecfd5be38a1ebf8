/** Where a process is ended, and how. */
export interface Place {
  readonly name: string
  /** passed by the process itself, see agent-program.ts; null: it is killed from outside */
  readonly point: string | null
  /** announced with `prepare` and `send` apart, where `run` has one commit for both */
  readonly inSteps?: true
  /** is reached only where nothing goes wrong with the call itself */
  readonly afterAnswer?: true
}

/** Of a process that carries operations out, in the order in which they are passed. */
export const WRITING: readonly Place[] = [
  { name: 'before prepare', point: 'prepare_before_begin', inSteps: true },
  { name: 'inside the commit of prepare', point: 'prepare_before_commit', inSteps: true },
  { name: 'after prepare', point: 'prepared', inSteps: true },
  { name: 'before the intent', point: 'intent_before_begin' },
  { name: 'inside the commit of the intent', point: 'intent_before_commit' },
  { name: 'after the commit of the intent', point: 'intent_after_commit' },
  { name: 'after send', point: 'sent' },
  { name: 'request half written', point: 'request_half_written' },
  { name: 'request in the air', point: null },
  { name: 'effect done, no answer yet', point: null },
  { name: 'answer arrived', point: 'answer_arrived', afterAnswer: true },
  { name: 'external id named', point: 'id_named', afterAnswer: true },
  { name: 'before the outcome', point: 'outcome_before_begin' },
  { name: 'inside the commit of the outcome', point: 'outcome_before_commit' },
  { name: 'after the commit of the outcome', point: 'outcome_after_commit' },
  { name: 'after the outcome was told', point: 'told' },
  { name: 'at any moment', point: null },
]

/** Of a process that carries a person's decision out. */
export const DECIDING: readonly Place[] = [
  { name: 'before a decision', point: 'decision_before_begin' },
  { name: 'inside the commit of a decision', point: 'decision_before_commit' },
  { name: 'after the commit of a decision', point: 'decision_after_commit' },
]

export const DECISIONS = ['resolve', 'allow_retry', 'cancel', 'abandon', 'takeover'] as const
export type DecisionKind = (typeof DECISIONS)[number]

/** Of a process that makes a ledger, which brings an empty file to the newest schema. */
export const MAKING: readonly Place[] = [
  { name: 'before the new file', point: 'making_open' },
  { name: 'inside the commit of the schema', point: 'making_exec_commit' },
  { name: 'after the commit of the schema', point: 'making_transaction' },
  { name: 'after the making is committed', point: 'making_close' },
  { name: 'before it is synced', point: 'making_fsync' },
  { name: 'before it is put in place', point: 'making_link' },
  { name: 'before its directory is synced', point: 'making_fsync:2' },
  { name: 'before what is left over goes', point: 'making_unlink' },
]
