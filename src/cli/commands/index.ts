import { type Entry, entry } from '../command.js'
import { check } from './check.js'
import { checkpoint } from './checkpoint.js'
import { complete } from './complete.js'
import { completion } from './completion.js'
import { help } from './help.js'
import { list } from './list.js'
import { log } from './log.js'
import { report } from './report.js'
import { schema } from './schema.js'
import { show } from './show.js'
import { status } from './status.js'
import { tasks } from './tasks.js'

/** Every command, in the order help shows them within their chapter. A new command is its file and one line here. */
export const COMMANDS: readonly Entry[] = [
  entry(status, () => import('./status.js')),
  entry(list, () => import('./list.js')),
  entry(show, () => import('./show.js')),
  entry(tasks, () => import('./tasks.js')),
  entry(log, () => import('./log.js')),
  entry(check, () => import('./check.js')),
  entry(report, () => import('./report.js')),
  entry(checkpoint, () => import('./checkpoint.js')),
  entry(schema, () => import('./schema.js')),
  entry(completion, () => import('./completion.js')),
  entry(complete, () => import('./complete.js')),
  entry(help, () => import('./help.js')),
]
