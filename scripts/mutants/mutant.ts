/** One rule broken on purpose: a text of a source file replaced by another, and the check that must notice. */
export interface Mutant {
  readonly id: string
  /** the rule without which the sources are then, in words */
  readonly without: string
  readonly file: string
  /** must stand in the file exactly once */
  readonly find: string
  readonly replace: string
  readonly killedBy: Check
}

/** A test by its file and its own title. */
export interface Check {
  readonly file: string
  readonly test: string
}
