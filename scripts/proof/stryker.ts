import { stryker } from '../stryker/run.js'
import { BAR, percent, scoresByFolder, tableOf, total } from '../stryker/scores.js'
import type { Part } from './part.js'

export const mutation: Part = {
  name: 'stryker',
  title: 'the core broken in thousands of small ways, and what its own tests notice',
  run(say) {
    const came = stryker([])
    const scores = scoresByFolder()
    say(tableOf(scores))
    return came && percent(total(scores)) >= BAR
  },
}
