// Runs the short commands and the screen once and keeps, beside each chunk they load, the code that V8 made of it: bin/load.js
// starts with it. Only what they really call is in it, so that reading it costs less than compiling. The short commands come
// first and through no terminal, as they are called by programs; the screen adds the chunks that it alone loads.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'

const HELP = [['--help'], ['tasks', '--help'], ['complete', '--', 'li']]
const LOOKING = [['list', '--unknown'], ['status'], ['report', 'scraper-5'], ['show', 'scraper-5/clears']]
// An option before the name: then it is not the whole of the command that runs, but the chunks that others load too.
const IN_CHUNKS = LOOKING.map(argv => ['--no-color', ...argv])
const RUNS = { whole: LOOKING, chunks: [...HELP, ...IN_CHUNKS], screen: [['triage']] }

/** the alternate screen */
const TAKES_OVER = '\u001b[?1049h'

/** a screen that did not come by then never comes */
const OVERDUE_MS = 120_000

const root = join(import.meta.dirname, '..')
const { load, entryOf, chunks } = createRequire(import.meta.url)('../bin/load.js')
const [folder, runs] = process.argv.slice(2)

if (folder === undefined) await warmOnSample()
else await warmOn(join(folder, 'ledger.db'), RUNS[runs])

/** Each in a process of its own; the screen on a terminal that nobody sees: it shows itself nowhere else. */
async function warmOnSample() {
  const sample = mkdtempSync(join(tmpdir(), 'agent-ledger-warm-'))
  const { execPath } = process
  try {
    execFileSync(execPath, [join(root, 'bin/agent-ledger.js'), 'demo', sample], { stdio: 'ignore' })
    for (const runs of ['whole', 'chunks'])
      execFileSync(execPath, [import.meta.filename, sample, runs], { stdio: ['ignore', 'ignore', 'inherit'] })
    // Where no terminal is to be had, the screen starts a little later, and nothing else is lost.
    await onTerminal(execPath, [import.meta.filename, sample, 'screen']).catch(error =>
      console.warn(`the screen is built without its compiled code: ${error.message}`),
    )
  } finally {
    rmSync(sample, { recursive: true, force: true })
  }
}

/** Leaves the screen once it stands, with what is read for the first operation beside its list. */
function onTerminal(file, argv) {
  return new Promise((resolve, reject) => {
    let shown = ''
    const child = spawn(file, argv, { cols: 120, rows: 40, env: { ...process.env, TERM: 'xterm-256color' } })
    child.onData(data => {
      shown += data
      const [, onScreen = ''] = shown.split(TAKES_OVER)
      if (onScreen.includes('Operation scraper-5/')) child.write('q')
    })
    const overdue = setTimeout(() => child.kill(), OVERDUE_MS)
    child.onExit(({ exitCode, signal }) => {
      clearTimeout(overdue)
      if (exitCode === 0 && !signal) resolve()
      else reject(new Error(`it ended with ${exitCode} after ${JSON.stringify(shown.slice(-500))}`))
    })
  })
}

async function warmOn(ledger, commands) {
  for (const argv of commands) {
    process.argv = [
      process.argv[0],
      'agent-ledger',
      ...argv,
      ...(HELP.includes(argv) ? [] : ['--ledger', ledger]),
    ]
    const code = await load(entryOf(argv)).main()
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
  }
  for (const { script, filename } of chunks.values())
    if (!existsSync(`${filename}.code`)) writeFileSync(`${filename}.code`, script.createCachedData())
}
