import { LedgerError } from '../core/errors.js'
import { createRedactor } from '../core/redact/redact.js'
import { systemClock } from '../host.js'
import { VERSION } from '../version.js'
import { asksForHelp, givenTo, hasFlag, nameFirst, wantsJson } from './argv.js'
import { createPaint, wantsColour } from './colour.js'
import type { Command, Commands, Entry } from './command.js'
import { COMMANDS } from './commands/index.js'
import { splitLine } from './completion/split-line.js'
import { createDeps, type Surroundings } from './deps.js'
import { errorJson, errorLines, exitCodeOf, hintOf, toLedgerError } from './failure.js'
import { type Io, processIo } from './io.js'
import type { Call, Parsed } from './parse.js'
import { watchSignals } from './signals.js'

/** Runs this process's command line; the launcher sets the exit code it resolves to. */
export async function main(commands: Commands = COMMANDS): Promise<number> {
  const stopping = new AbortController()
  const { stopped, takeOver } = watchSignals(process, stopping)
  const clock = systemClock()
  const done = run(process.argv.slice(2), {
    io: processIo(process),
    signal: stopping.signal,
    onSignal: takeOver,
    clock: () => clock().at,
    commands,
  })
  return Promise.race([done, stopped])
}

/** Carries out one command line and resolves to its exit code; every failure is printed here and nowhere else. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const argv = nameFirst(words)
  try {
    return await dispatch(argv, surroundings)
  } catch (thrown) {
    return report(thrown, argv, surroundings)
  }
}

async function dispatch(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const { io, commands } = surroundings
  if (given[0] === '--version' || given[0] === '-V') return printVersion(io, wantsJson(given))
  const argv = helpAsked(given, commands)
  const named = asksForHelp(argv) ? undefined : await entryOf(argv[0], commands)
  const call = completionCall(argv, named?.command) ?? (await parsed(argv, named?.command, surroundings))
  if ('help' in call) {
    await io.stdout.write(call.help)
    return 0
  }
  const called = named ?? (await entryOf(call.command.name, commands))
  if (called === undefined) throw new LedgerError('internal', `${call.command.name} is not registered`)
  return called.start(call.raw, await createDeps(call, surroundings))
}

async function entryOf(name = '', { entries }: Commands): Promise<Entry | undefined> {
  return entries.get(name)?.()
}

// The parser is a chunk of its own: what answers at each TAB, and --version, do without it. The command called is parsed
// by its own declaration; help, and the nearest name to one that is unknown, need those of all.
async function parsed(
  argv: readonly string[],
  called: Command | undefined,
  { io, commands }: Surroundings,
): Promise<Parsed> {
  const { parse } = await import('./parse.js')
  const known = called === undefined ? await commands.declared() : [called]
  return parse(argv, { commands: known, columns: io.stdout.columns() ?? HELP_COLUMNS })
}

// `complete [--line] -- <words>` is only called by our scripts. The ledger named on the line being typed is the one asked.
function completionCall([, ...rest]: readonly string[], command: Command | undefined): Call | undefined {
  const dashes = rest.indexOf('--')
  if (command?.hidden !== true || dashes === -1) return undefined
  const given = rest.slice(dashes + 1)
  const words = rest.slice(0, dashes).includes('--line') ? splitLine(given.join(' ')) : given
  const before = words.slice(0, -1)
  return { command, raw: { words, ledger: givenTo(before, '--ledger'), config: givenTo(before, '--config') } }
}

// `help list` is `list --help`, and `help` alone is `--help`: only the parser knows how to print those.
function helpAsked(argv: readonly string[], { entries }: Commands): readonly string[] {
  const [name, topic] = argv
  if (name === 'help' && topic === undefined) return ['--help']
  return name === 'help' && topic !== undefined && entries.has(topic) ? [topic, '--help'] : argv
}

/** Width of help through a pipe. */
const HELP_COLUMNS = 100

async function report(
  thrown: unknown,
  argv: readonly string[],
  { io, commands, signal }: Surroundings,
): Promise<number> {
  const error = toLedgerError(thrown)
  const [name = ''] = argv
  const hint = hintOf(error, commands.entries.has(name) ? name : undefined)
  const paint = await createPaint(
    wantsColour({ noColor: hasFlag(argv, '--no-color'), env: io.env, isTerminal: io.stderr.isTerminal }),
  )
  const withStack = (io.env.AGENT_LEDGER_DEBUG ?? '') !== ''
  const redactor = createRedactor()
  const exitCode = exitCodeOf(error, signal)
  const text = wantsJson(argv)
    ? errorJson(error, { hint, exitCode }, redactor)
    : redactor.text(errorLines(error, { hint, paint, withStack }))
  await io.stderr.write(`${text}\n`)
  return exitCode
}

async function printVersion(io: Io, asJson: boolean): Promise<number> {
  const document = {
    schema: 'agent-ledger/version@1',
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  }
  await io.stdout.write(asJson ? `${JSON.stringify(document)}\n` : `agent-ledger ${VERSION}\n`)
  return 0
}
