const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

// Loads the chunks that scripts/build.mjs made, with the code that V8 made of them then (`.code` beside each): compiling
// takes a fifth of the time of a short command. V8 looks whether version, flags and length of the source are its own,
// and compiles as usual where they are not.
const folder = join(__dirname, '..', 'dist', 'cli')
const chunks = new Map()

// Commands that are looked with all the time: each is built once more, whole, with no chunk to be found beside it.
const SHORT = ['list', 'report', 'show', 'status']

/** The name of the chunk that carries out this command line; alone, it is `status`. */
function entryOf([name = 'status']) {
  return SHORT.includes(name) ? `main-${name}` : 'main'
}

/** What the chunk of this name exports. */
function load(name) {
  const known = chunks.get(name)
  if (known !== undefined) return known.module.exports
  const filename = join(folder, `${name}.cjs`)
  const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: codeOf(filename) })
  const module = { exports: {} }
  chunks.set(name, { module, script, filename })
  script.runInThisContext()(module.exports, requireHere, module, filename, folder)
  return module.exports
}

function codeOf(filename) {
  try {
    return readFileSync(`${filename}.code`)
  } catch {
    return undefined
  }
}

// What is no chunk is found from here as from there: both lie in the package.
function requireHere(id) {
  return id.startsWith('./') ? load(id.slice('./'.length, -'.cjs'.length)) : require(id)
}
requireHere.resolve = require.resolve

module.exports = { load, entryOf, chunks, SHORT }
