import { type Entry, entry } from '../command.js'
import { help } from './help.js'

/** Every command, in the order help shows them within their chapter. A new command is its file and one line here. */
export const COMMANDS: readonly Entry[] = [entry(help, () => import('./help.js'))]
