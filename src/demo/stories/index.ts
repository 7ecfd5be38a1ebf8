import type { Story } from '../moments.js'
import { backup } from './backup.js'
import { byHand } from './by-hand.js'
import { hostile } from './hostile.js'
import { incident } from './incident.js'
import { languages } from './languages.js'
import { newsletter } from './newsletter.js'
import { payments } from './payments.js'
import { release } from './release.js'
import { stopped } from './stopped.js'

/** Everything the sample ledger tells. A new story is its file and one line here. */
export const STORIES: readonly Story[] = [
  release,
  payments,
  newsletter,
  incident,
  byHand,
  stopped,
  languages,
  hostile,
  backup,
]
