import { type Entry, entry } from '../command.js'
import { complete } from './complete.js'
import { completion } from './completion.js'
import { help } from './help.js'
import { schema } from './schema.js'

/** Every command, in the order help shows them within their chapter. A new command is its file and one line here. */
export const COMMANDS: readonly Entry[] = [
  entry(schema, () => import('./schema.js')),
  entry(completion, () => import('./completion.js')),
  entry(complete, () => import('./complete.js')),
  entry(help, () => import('./help.js')),
]
