import { hunt } from './mutants/hunt.js'
import { MUTANTS } from './mutants/index.js'

/**
 * Breaks each rule on purpose, one at a time, in a copy of the sources, and runs the check that is named for it.
 * Prints mutant → killed by; ends with 1 when one survives. `npm run mutants [id…]` hunts those named.
 */
const named = process.argv.slice(2)
const unknown = named.filter(id => !MUTANTS.some(mutant => mutant.id === id))
if (unknown.length > 0) {
  console.error(`no such mutant: ${unknown.join(', ')}`)
  process.exit(2)
}
const hunted = named.length === 0 ? MUTANTS : MUTANTS.filter(({ id }) => named.includes(id))
const survivors = hunt(hunted, line => console.log(line))
console.log(
  `\n${hunted.length - survivors.length} of ${hunted.length} mutants killed by the check named for them`,
)
if (survivors.length > 0) {
  console.error(`alive: ${survivors.join(', ')}`)
  process.exitCode = 1
}
