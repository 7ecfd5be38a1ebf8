import { PARTS } from './proof/index.js'

/**
 * The proof in its long form, minutes and gigabytes where `npm test` takes seconds: every part, or those named.
 * Ends with 1 when one finds something.
 */
const named = process.argv.slice(2)
const unknown = named.filter(name => !PARTS.some(part => part.name === name))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
for (const part of PARTS) {
  if (named.length > 0 && !named.includes(part.name)) continue
  console.log(`${part.name}: ${part.title}`)
  if (!part.run(line => console.log(line))) process.exitCode = 1
}
