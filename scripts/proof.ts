import { parseArgs } from 'node:util'
import { PARTS } from './proof/index.js'

/**
 * The proof in its long form, minutes and gigabytes where `npm test` takes seconds: every part, or those named. Random
 * parts print their seeds: `npm run proof -- kills --from 5001 --runs 1000` goes on, or goes through one again. Ends
 * with 1 when one finds something. `fuzz` names all parts whose names begin with it.
 */
const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' }, runs: { type: 'string' } },
})
const range = { from: Number(values.from), runs: values.runs === undefined ? null : Number(values.runs) }
const isMeant = (name: string, word: string) => name === word || name.startsWith(`${word}-`)
const unknown = named.filter(word => !PARTS.some(({ name }) => isMeant(name, word)))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
for (const part of PARTS) {
  if (named.length > 0 && !named.some(word => isMeant(part.name, word))) continue
  console.log(`${part.name}: ${part.title}`)
  if (!(await part.run(line => console.log(line), range))) process.exitCode = 1
}
