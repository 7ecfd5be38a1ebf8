import { type Safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'

/** How to see what a list left out. Through a pipe it was cut by the limit that was asked for: another pipe is no way. */
export function leftOutWords(left: Safe, wanted: number, { io }: Pick<Deps, 'io'>): Safe {
  const orPipe = io.stdout.isTerminal ? words`, or a pipe,` : words``
  return words`${left} more are left out: --limit ${wanted}${orPipe} shows them`
}
