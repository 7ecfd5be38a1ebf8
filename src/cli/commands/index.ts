import { type Entry, entry } from '../command.js'
import { abandon } from './abandon.js'
import { cancel } from './cancel.js'
import { claim } from './claim.js'
import { complete } from './complete.js'
import { completion } from './completion.js'
import { defer } from './defer.js'
import { handback } from './handback.js'
import { help } from './help.js'
import { init } from './init.js'
import { note } from './note.js'
import { release } from './release.js'
import { reopen } from './reopen.js'
import { resolve } from './resolve.js'
import { schema } from './schema.js'
import { takeover } from './takeover.js'

/** Every command, in the order help shows them within their chapter. A new command is its file and one line here. */
export const COMMANDS: readonly Entry[] = [
  entry(resolve, () => import('./resolve.js')),
  entry(reopen, () => import('./reopen.js')),
  entry(abandon, () => import('./abandon.js')),
  entry(cancel, () => import('./cancel.js')),
  entry(defer, () => import('./defer.js')),
  entry(note, () => import('./note.js')),
  entry(takeover, () => import('./takeover.js')),
  entry(handback, () => import('./handback.js')),
  entry(claim, () => import('./claim.js')),
  entry(release, () => import('./release.js')),
  entry(init, () => import('./init.js')),
  entry(schema, () => import('./schema.js')),
  entry(completion, () => import('./completion.js')),
  entry(complete, () => import('./complete.js')),
  entry(help, () => import('./help.js')),
]
