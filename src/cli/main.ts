import { LedgerError } from '../core/errors.js'
import { createRedactor } from '../core/redact/redact.js'
import { systemClock } from '../host.js'
import { VERSION } from '../version.js'
import { hasFlag, named, nameFirst, wantsJson } from './argv.js'
import { createPaint, wantsColour } from './colour.js'
import type { Entry } from './command.js'
import { COMMANDS } from './commands/index.js'
import { createDeps, type Surroundings } from './deps.js'
import { errorJson, errorLines, exitCodeOf, hintOf, isHelpShown, toLedgerError } from './failure.js'
import { type Io, processIo } from './io.js'
import { createProgram, type Parsed } from './program.js'
import { untilSignal } from './signals.js'

/** Runs this process's command line; the launcher sets the exit code it resolves to. */
export async function main(entries: readonly Entry[] = COMMANDS): Promise<number> {
  const stopping = new AbortController()
  const stopped = untilSignal(process, stopping)
  const clock = systemClock()
  const done = run(process.argv.slice(2), {
    io: processIo(process),
    signal: stopping.signal,
    clock: () => clock().at,
    entries,
    liveIds: async () => [],
  })
  return Promise.race([done, stopped])
}

/** Carries out one command line and resolves to its exit code; every failure is printed here and nowhere else. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const argv = nameFirst(words)
  try {
    return await dispatch(helpAsked(argv, surroundings.entries), surroundings)
  } catch (thrown) {
    return isHelpShown(thrown) ? 0 : report(thrown, argv, surroundings)
  }
}

// `help list` is `list --help`: only the parser knows how to print that.
function helpAsked(argv: readonly string[], entries: readonly Entry[]): readonly string[] {
  const [name, topic] = argv
  const isCommand = name === 'help' && entries.some(({ command }) => command.name === topic)
  return isCommand && topic !== undefined ? [topic, '--help'] : argv
}

async function dispatch(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { io, entries } = surroundings
  if (argv[0] === '--version' || argv[0] === '-V') return printVersion(io, wantsJson(argv))
  let parsed: Parsed | undefined
  const help: string[] = []
  const commands = entries.map(entry => entry.command)
  const shape = { commands, called: named(argv, commands), columns: io.stdout.columns() ?? HELP_COLUMNS }
  const program = createProgram({ ...shape, write: text => help.push(text) }, call => {
    parsed = call
  })
  try {
    program.parse(argv, { from: 'user' })
  } finally {
    if (help.length > 0) await io.stdout.write(help.join(''))
  }
  const called = entries.find(entry => entry.command === parsed?.command)
  if (called === undefined || parsed === undefined) throw new LedgerError('usage', 'no command was given')
  return called.start(parsed.raw, createDeps(parsed, surroundings))
}

/** Width of help through a pipe. */
const HELP_COLUMNS = 100

async function report(
  thrown: unknown,
  argv: readonly string[],
  { io, entries }: Surroundings,
): Promise<number> {
  const error = toLedgerError(thrown)
  const command = entries.map(entry => entry.command).find(({ name }) => name === argv[0])
  const hint = hintOf(error, command?.name)
  const paint = createPaint(
    wantsColour({ noColor: hasFlag(argv, '--no-color'), env: io.env, isTerminal: io.stderr.isTerminal }),
  )
  const withStack = (io.env.AGENT_LEDGER_DEBUG ?? '') !== ''
  const redactor = createRedactor()
  const text = wantsJson(argv)
    ? errorJson(error, hint, redactor)
    : redactor.text(errorLines(error, { hint, paint, withStack }))
  await io.stderr.write(`${text}\n`)
  return exitCodeOf(error)
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
