// Runs the short commands once and keeps, beside each chunk they load, the code that V8 made of it: bin/load.js starts
// with it. Only what they really call is in it, so that reading it costs less than compiling.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const HELP = [['--help'], ['list', '--help'], ['complete', '--', 'li']]
const LOOKING = [['list', '--unknown'], ['status'], ['report', 'scraper-5'], ['show', 'scraper-5/clears']]

const root = join(import.meta.dirname, '..')
const { load, chunks } = createRequire(import.meta.url)('../bin/load.js')
const [folder] = process.argv.slice(2)

if (folder === undefined) warmOnSample()
else await warmOn(join(folder, 'ledger.db'))

/** In a process of its own, whose output goes nowhere. */
function warmOnSample() {
  const sample = mkdtempSync(join(tmpdir(), 'agent-ledger-warm-'))
  try {
    execFileSync(process.execPath, [join(root, 'bin/agent-ledger.js'), 'demo', sample], { stdio: 'ignore' })
    execFileSync(process.execPath, [import.meta.filename, sample], { stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    rmSync(sample, { recursive: true, force: true })
  }
}

async function warmOn(ledger) {
  for (const argv of [...HELP, ...LOOKING.map(words => [...words, '--ledger', ledger])]) {
    process.argv = [process.argv[0], 'agent-ledger', ...argv]
    const code = await load('main').main()
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
  }
  for (const { script, filename } of chunks.values())
    writeFileSync(`${filename}.code`, script.createCachedData())
}
