import { Option, Command as Program } from 'commander'
import { CHAPTERS, type Command, type Parameter, type Parameters, type Raw, typedName } from './command.js'
import { globalsOf } from './global-options.js'

/** What the parser found: which command, and the raw text of its arguments and options. */
export interface Parsed {
  readonly command: Command
  readonly raw: Readonly<Record<string, Raw>>
}

interface Shape {
  readonly commands: readonly Command[]
  /** the only command whose options are declared: declaring those of all costs each start several milliseconds */
  readonly called: Command | undefined
  readonly columns: number
  readonly write: (text: string) => void
}

/**
 * The commander program for one call. Parsing throws CommanderError for a usage error and after printing help;
 * `onCall` is handed what was parsed.
 */
export function createProgram(shape: Shape, onCall: (parsed: Parsed) => void): Program {
  const program = new Program('agent-ledger')
    .description('What certainly happened, what may have happened, and what is safe to do next.')
    .usage('[command] [options]')
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeOut: shape.write, writeErr: () => {}, getOutHelpWidth: () => shape.columns })
    .configureHelp({ subcommandTerm: command => [command.name(), command.usage()].join(' ').trim() })
    .helpOption('-h, --help', 'show this')
    .option('-V, --version', 'print the version; with --json those of its parts too')
    .addHelpText('after', HELP_FOOT)
  for (const chapter of CHAPTERS) {
    for (const command of shape.commands.filter(one => one.chapter === chapter)) {
      const registered = program
        .command(command.name, { hidden: command.hidden === true })
        .summary(command.summary)
        .usage(argumentUsage(command.args))
        .helpGroup(`${chapter}:`)
      if (command === shape.called) declare(registered, command, onCall)
    }
  }
  return program
}

/** `<op> [task] [op...]`: the arguments as a usage line shows them. */
export function argumentUsage(args: Parameters): string {
  return Object.entries(args)
    .map(([key, { many, required }]) => bracketed(many === true ? `${key}...` : key, required === true))
    .join(' ')
}

/** `--older-than <duration>`, as help and man page show it. */
export function optionTerm(key: string, { placeholder }: Parameter<unknown>): string {
  return placeholder === undefined ? `--${typedName(key)}` : `--${typedName(key)} <${placeholder}>`
}

/** The summary with its choices and the value that stands in when none is given. */
export function described({ summary, choices, fallback, many, placeholder }: Parameter<unknown>): string {
  const notes = [
    choices === undefined ? '' : choices.join(', '),
    many === true && placeholder !== undefined ? 'may be repeated' : '',
    fallback === undefined ? '' : `default: ${fallback}`,
  ].filter(note => note !== '')
  return notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`
}

const HELP_FOOT = `
Without a command: status. Every command has --help with examples.
Topics: agent-ledger help <exit-codes|environment|formatting|states>`

function declare(program: Program, command: Command, onCall: (parsed: Parsed) => void): void {
  const argumentKeys = Object.keys(command.args)
  for (const [key, parameter] of Object.entries(command.args)) {
    const name = parameter.many === true ? `${key}...` : key
    program.argument(bracketed(name, parameter.required === true), described(parameter))
  }
  const declared = [
    ...addOptions(program, command.options, 'Options:'),
    ...addOptions(program, globalsOf(command), 'Options of every command:'),
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

function addOptions(program: Program, parameters: Parameters, heading: string) {
  return Object.entries(parameters).map(([key, parameter]) => {
    const option = new Option(optionTerm(key, parameter), described(parameter)).helpGroup(heading)
    if (parameter.many === true) option.argParser((text, before: unknown) => [...texts(before), text])
    program.addOption(option)
    return { key, option }
  })
}

function examplesText({ examples }: Command): string {
  const lines = examples.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`])
  return ['', 'Examples:', ...lines].join('\n')
}

function bracketed(name: string, isRequired: boolean): string {
  return isRequired ? `<${name}>` : `[${name}]`
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
