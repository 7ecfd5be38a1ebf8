import { stryker } from './stryker/run.js'
import { scoresByFolder, tableOf } from './stryker/scores.js'

/**
 * Breaks the core in thousands of small ways and lets its own tests notice: `npm run stryker` for all of it,
 * `npm run stryker src/core/retry.ts 'src/core/stall/*.ts'` for some. Results of earlier runs are kept and told along.
 */
if (!stryker(process.argv.slice(2))) process.exitCode = 1
console.log(tableOf(scoresByFolder()))
