import type { Mutant } from '../mutant.js'
import { EXECUTING_MUTANTS } from './executing.js'
import { STORING_MUTANTS } from './storing.js'

/** The rules of those who carry the core's decisions out: the executor and the store. */
export const AROUND_MUTANTS: readonly Mutant[] = [...EXECUTING_MUTANTS, ...STORING_MUTANTS]
