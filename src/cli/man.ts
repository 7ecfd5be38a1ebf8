import { CHAPTERS, type Command, type Parameters } from './command.js'
import { argumentUsage, described, optionTerm } from './describe.js'
import { ENVIRONMENT } from './environment.js'
import { EXIT_CODES } from './exit-codes.js'
import { GLOBAL_OPTIONS, globalsOf } from './global-options.js'

/** `agent-ledger(1)`: the commands, the options of all, exit codes, environment. In man(7) macros. */
export function mainPage(commands: readonly Command[], version: string): string {
  const visible = commands.filter(command => command.hidden !== true)
  const chapters = CHAPTERS.map(chapter => ({
    chapter,
    found: visible.filter(one => one.chapter === chapter),
  }))
  return page({ name: 'agent-ledger', version }, [
    heading('NAME'),
    text('agent-ledger - what certainly happened, what may have happened, and what is safe to do next'),
    heading('SYNOPSIS'),
    synopsis('agent-ledger', '[command] [options]'),
    heading('DESCRIPTION'),
    text(
      'A ledger of the outside writes of agents. Each is written down before it is sent; after a crash the ledger',
    ),
    text('says what happened, what did not, what may have happened, and how to find out.'),
    text('Without a command: status.'),
    heading('COMMANDS'),
    ...chapters
      .filter(({ found }) => found.length > 0)
      .flatMap(({ chapter, found }) => [
        macro('SS', chapter),
        ...found.map(one =>
          item(
            `${one.name} ${argumentUsage(one.args)}`.trim(),
            `${one.summary}; see agent-ledger-${one.name}(1)`,
          ),
        ),
      ]),
    heading('OPTIONS OF EVERY COMMAND'),
    ...optionItems(GLOBAL_OPTIONS),
    heading('EXIT STATUS'),
    ...EXIT_CODES.map(({ code, means }) => item(String(code), means)),
    heading('ENVIRONMENT'),
    ...ENVIRONMENT.map(({ name, means }) => item(name, means)),
  ])
}

/** `agent-ledger-list(1)` and so on. */
export function commandPage(command: Command, version: string): string {
  const title = `agent-ledger-${command.name}`
  const args = Object.entries(command.args)
  return page({ name: title, version }, [
    heading('NAME'),
    text(`${title} - ${command.summary}`),
    heading('SYNOPSIS'),
    synopsis(`agent-ledger ${command.name}`, `[options] ${argumentUsage(command.args)}`.trim()),
    ...(command.details === undefined ? [] : [heading('DESCRIPTION'), ...command.details.flatMap(paragraph)]),
    ...(args.length === 0
      ? []
      : [heading('ARGUMENTS'), ...args.map(([key, arg]) => item(key, described(arg)))]),
    heading('OPTIONS'),
    ...optionItems({ ...command.options, ...globalsOf(command) }),
    heading('EXAMPLES'),
    ...command.examples.flatMap(({ line, does }) => [
      macro('PP'),
      text(`${does}:`),
      macro('PP'),
      macro('RS'),
      macro('EX'),
      text(line),
      macro('EE'),
      macro('RE'),
    ]),
    heading('SEE ALSO'),
    text('agent-ledger(1)'),
  ])
}

function page({ name, version }: { name: string; version: string }, lines: readonly string[]): string {
  const head = `.TH "${roff(name.toUpperCase())}" 1 "" "agent-ledger ${roff(version)}" "agent-ledger"`
  return `${[head, ...lines].join('\n')}\n`
}

function heading(title: string): string {
  return macro('SH', title)
}

function macro(name: string, argument?: string): string {
  return argument === undefined ? `.${name}` : `.${name} "${roff(argument)}"`
}

function synopsis(name: string, rest: string): string {
  return `.B ${roff(name)}\n${text(rest)}`
}

function item(term: string, means: string): string {
  return `.TP\n.B "${roff(term)}"\n${text(means)}`
}

function optionItems(options: Parameters): readonly string[] {
  return Object.entries(options).map(([key, option]) => item(optionTerm(key, option), described(option)))
}

function paragraph(words: string): readonly string[] {
  return [macro('PP'), text(words)]
}

// A line that begins with a point or an apostrophe would be a request.
function text(words: string): string {
  return roff(words).replace(/^(?=[.'])/gm, '\\&')
}

// groff_char(7): a bare hyphen may be set as a dash, which nobody can copy into a shell.
function roff(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
}
