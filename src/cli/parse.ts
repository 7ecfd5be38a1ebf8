import { CommanderError, Option, Command as Program } from 'commander'
import { LedgerError } from '../core/errors.js'
import { asksForHelp, named } from './argv.js'
import { CHAPTERS, type Command, type Parameters, type Raw, typedName } from './command.js'
import { argumentUsage, bracketed, described, optionTerm } from './describe.js'
import { globalsOf } from './global-options.js'

/** What was called, with the raw text of its arguments and options; or the help that was asked for. */
export type Parsed = Call | { readonly help: string }

export interface Call {
  readonly command: Command
  readonly raw: Readonly<Record<string, Raw>>
}

interface Shape {
  readonly commands: readonly Command[]
  /** width of help */
  readonly columns: number
}

/**
 * Reads a command line whose first word is the command, or --help.
 * @throws LedgerError usage
 */
export function parse(argv: readonly string[], shape: Shape): Parsed {
  const known = { ...shape, called: named(argv, shape.commands) }
  if (known.called !== undefined && !asksForHelp(argv)) requireValues(argv, known.called)
  const call = asksForHelp(argv) ? undefined : attempt(argv, { ...known, isLean: true }).call
  if (call !== undefined) return call
  const whole = attempt(argv, { ...known, isLean: false })
  if (whole.failure !== undefined) throw usageError(whole.failure)
  return whole.call ?? { help: whole.help }
}

/**
 * commander takes the next word for an option's value, whatever it is: `--reason --yes` would put "--yes" on record.
 * @throws LedgerError usage
 */
function requireValues(argv: readonly string[], called: Command): void {
  const options = Object.entries({ ...called.options, ...globalsOf(called) })
  const find = (word: string | undefined) => options.find(([key]) => `--${typedName(key)}` === word)
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const at = words.findIndex(
    (word, i) => find(word)?.[1].placeholder !== undefined && find(words[i + 1]) !== undefined,
  )
  if (at === -1) return
  const [name, next] = [words[at], words[at + 1]]
  throw new LedgerError('usage', `option '${name}' argument missing: ${next} follows it`, {
    hint: `Give ${name} a value; if ${next} is meant, ${name}=${next}.`,
  })
}

interface Attempt {
  readonly call?: Call | undefined
  readonly help: string
  readonly failure?: CommanderError
}

function attempt(argv: readonly string[], shape: Omit<ProgramShape, 'argv' | 'write'>): Attempt {
  let call: Call | undefined
  const help: string[] = []
  const program = createProgram({ ...shape, argv, write: text => help.push(text) }, found => {
    call = found
  })
  try {
    program.parse(argv, { from: 'user' })
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.exitCode !== 0) return { help: '', failure: thrown }
  }
  return { call, help: help.join('') }
}

interface ProgramShape extends Shape {
  /** the only command whose options are declared: declaring those of all costs each start several milliseconds */
  readonly called: Command | undefined
  readonly argv: readonly string[]
  /**
   * only those options are declared that a word of the line begins like: no other can be given, and declaring thirty costs a
   * short command 2 ms. Help, and the nearest name to one that is unknown, need them all.
   */
  readonly isLean: boolean
  readonly write: (text: string) => void
}

function createProgram(shape: ProgramShape, onCall: (call: Call) => void): Program {
  const program = new Program('agent-ledger')
    .description('What certainly happened, what may have happened, and what is safe to do next.')
    .usage('[command] [options]')
    .exitOverride()
    .helpCommand(false)
    .configureOutput({
      writeOut: shape.write,
      writeErr: () => {},
      getOutHelpWidth: () => shape.columns,
      // Asking Node's streams loads its network modules, 4 ms; help has no colours.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: command => [command.name(), command.usage()].join(' ').trim() })
    .helpOption('-h, --help', 'show this')
    .option('-V, --version', 'print the version; with --json those of its parts too')
    .addHelpText('after', HELP_FOOT)
  // The others are named in the list that --help prints, and near an unknown name.
  const commands = shape.called === undefined ? shape.commands : [shape.called]
  for (const chapter of CHAPTERS) {
    for (const command of commands.filter(one => one.chapter === chapter)) {
      const registered = program
        .command(command.name, { hidden: command.hidden === true })
        .summary(command.summary)
        .usage(argumentUsage(command.args))
        .helpGroup(`${chapter}:`)
      if (command === shape.called) declare(registered, { ...shape, command }, onCall)
    }
  }
  return program
}

// commander words its messages "error: unknown option '--x'\n(Did you mean --y?)".
function usageError(thrown: CommanderError): LedgerError {
  const [first = '', suggestion] = thrown.message.replace(/^error: /, '').split('\n')
  const message = suggestion === undefined ? first : `${first} ${suggestion.replace('(Did', '(did')}`
  return new LedgerError('usage', message, { cause: thrown })
}

const HELP_FOOT = `
Without a command: status. Every command has --help with examples.
Topics: agent-ledger help <exit-codes|environment|formatting|states>`

function declare(
  program: Program,
  { command, argv, isLean }: Pick<ProgramShape, 'argv' | 'isLean'> & { readonly command: Command },
  onCall: (call: Call) => void,
): void {
  const argumentKeys = Object.keys(command.args)
  for (const [key, parameter] of Object.entries(command.args)) {
    const name = parameter.many === true ? `${key}...` : key
    program.argument(bracketed(name, parameter.required === true), described(parameter))
  }
  const mayBeGiven = (key: string) => !isLean || argv.some(word => word.startsWith(`--${typedName(key)}`))
  const declared = [
    ...addOptions(program, { of: command.options, mayBeGiven, isOwn: true }, 'Options:'),
    ...addOptions(program, { of: globalsOf(command), mayBeGiven, isOwn: false }, 'Options of every command:'),
  ]
  program
    .usage(['[options]', argumentUsage(command.args)].join(' ').trim())
    .description([sentence(command.summary), ...(command.details ?? [])].join('\n\n'))
    .addHelpOption(new Option('-h, --help', 'show this').helpGroup('Options of every command:'))
    .addHelpText('after', examplesText(command))
    .action((...given: unknown[]) => {
      const raw: Record<string, Raw> = {}
      argumentKeys.forEach((key, i) => {
        raw[key] = toRaw(given[i])
      })
      const options = program.opts()
      for (const { key, option } of declared) {
        const found: unknown = options[option.attributeName()]
        raw[key] = option.negate ? found === false : toRaw(found)
      }
      onCall({ command, raw })
    })
}

interface Addable {
  readonly of: Parameters
  readonly mayBeGiven: (key: string) => boolean
  /** of the command alone; those of every command may stand in an alias, and the last of them counts */
  readonly isOwn: boolean
}

function addOptions(program: Program, { of, mayBeGiven, isOwn }: Addable, heading: string) {
  const parameters = Object.entries(of).filter(([key]) => mayBeGiven(key))
  return parameters.map(([key, parameter]) => {
    const option = new Option(optionTerm(key, parameter), described(parameter)).helpGroup(heading)
    if (parameter.many === true) option.argParser((text, before: unknown) => [...texts(before), text])
    else if (isOwn && parameter.placeholder !== undefined) option.argParser(once(`--${typedName(key)}`))
    program.addOption(option)
    return { key, option }
  })
}

/** commander takes the last: `check --fail-on unknown --fail-on stalled` would let the first pass. */
function once(name: string): (text: string, before: unknown) => string {
  return (text, before) => {
    if (before === undefined || before === text) return text
    throw new LedgerError('usage', `option '${name}' is given more than once, with different values`, {
      hint: 'Give it once. Where its help says so, several words go into one value, divided by commas.',
    })
  }
}

function examplesText({ examples }: Command): string {
  const lines = examples.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`])
  return ['', 'Examples:', ...lines].join('\n')
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}

function toRaw(found: unknown): Raw {
  return typeof found === 'string' || typeof found === 'boolean'
    ? found
    : found === undefined
      ? undefined
      : texts(found)
}

function texts(found: unknown): string[] {
  return Array.isArray(found) ? found.filter(one => typeof one === 'string') : []
}
