import { checkGithub } from './github.js'
import type { CheckToTell } from './input.js'
import { checkJunit } from './junit.js'
import { checkSarif } from './sarif.js'

export type { CheckToTell } from './input.js'

/** The forms of `check` that other programs read, by name. */
export const CHECK_RENDERERS: Readonly<Record<'junit' | 'sarif' | 'github', (told: CheckToTell) => string>> =
  {
    junit: checkJunit,
    sarif: checkSarif,
    github: checkGithub,
  }
