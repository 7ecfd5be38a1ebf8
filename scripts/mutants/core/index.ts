import type { Mutant } from '../mutant.js'
import { ENDING_MUTANTS } from './ending.js'
import { JUDGING_MUTANTS } from './judging.js'
import { ONCE_MUTANTS } from './once.js'
import { RECKONING_MUTANTS } from './reckoning.js'
import { REPEATING_MUTANTS } from './repeating.js'
import { RETRYING_MUTANTS } from './retrying.js'
import { SENDING_MUTANTS } from './sending.js'
import { SETTLING_MUTANTS } from './settling.js'
import { STALLING_MUTANTS } from './stalling.js'

/** Every rule of the core broken once. */
export const CORE_MUTANTS: readonly Mutant[] = [
  ...SENDING_MUTANTS,
  ...REPEATING_MUTANTS,
  ...RETRYING_MUTANTS,
  ...ONCE_MUTANTS,
  ...ENDING_MUTANTS,
  ...SETTLING_MUTANTS,
  ...JUDGING_MUTANTS,
  ...RECKONING_MUTANTS,
  ...STALLING_MUTANTS,
]
