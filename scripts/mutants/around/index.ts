import type { Mutant } from '../mutant.js'
import { ASKING_MUTANTS } from './asking.js'
import { EXECUTING_MUTANTS } from './executing.js'
import { RECONCILING_MUTANTS } from './reconciling.js'
import { RUNNING_MUTANTS } from './running.js'
import { SHARING_MUTANTS } from './sharing.js'
import { STORING_MUTANTS } from './storing.js'

/** The rules of those who carry the core's decisions out: the executor, the probes, reconcile and the store. */
export const AROUND_MUTANTS: readonly Mutant[] = [
  ...EXECUTING_MUTANTS,
  ...ASKING_MUTANTS,
  ...RUNNING_MUTANTS,
  ...RECONCILING_MUTANTS,
  ...STORING_MUTANTS,
  ...SHARING_MUTANTS,
]
