import { AROUND_MUTANTS } from './around/index.js'
import { CORE_MUTANTS } from './core/index.js'
import type { Mutant } from './mutant.js'

/** Every rule broken once, and the check that must notice. */
export const MUTANTS: readonly Mutant[] = [...CORE_MUTANTS, ...AROUND_MUTANTS]
