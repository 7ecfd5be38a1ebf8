import { CHAPTERS, type Command } from '../../src/cli/command.js'
import { DECLARED } from '../../src/cli/commands/declared.js'
import { argumentUsage, described, optionTerm } from '../../src/cli/describe.js'
import { GLOBAL_OPTIONS } from '../../src/cli/global-options.js'
import { table } from './with-block.js'

const visible = DECLARED.filter(command => command.hidden !== true)

/** One line a command, by chapter. */
export function commandTable(): string {
  const rows = CHAPTERS.flatMap(chapter =>
    visible
      .filter(command => command.chapter === chapter)
      .map(command => [chapter, usage(command), command.summary]),
  )
  // A chapter is named once, at its first command.
  const named = rows.map(([chapter = '', ...rest], i) => [
    rows[i - 1]?.[0] === chapter ? '' : chapter,
    ...rest,
  ])
  return table(['', 'command', 'does'], named)
}

/** Each command with its arguments, options, examples and documents. */
export function commandReference(): string {
  return CHAPTERS.flatMap(chapter => visible.filter(command => command.chapter === chapter))
    .map(section)
    .join('\n\n')
}

/** The options that every command takes. */
export function globalOptionTable(): string {
  return optionTable(GLOBAL_OPTIONS)
}

function section(command: Command): string {
  const parts = [
    `### \`agent-ledger ${command.name}\``,
    `\`agent-ledger ${[command.name, argumentUsage(command.args)].join(' ').trim()}\`: ${command.summary}.`,
    ...(command.details ?? []),
    ...(Object.keys(command.options).length === 0 ? [] : [optionTable(command.options)]),
    ['```sh', ...command.examples.flatMap(({ line, does }) => [`# ${does}`, line]), '```'].join('\n'),
    ...(command.documents === undefined
      ? []
      : [`Documents: ${command.documents.map(name => `\`${name}\``).join(', ')}.`]),
  ]
  return parts.join('\n\n')
}

function usage({ name, args }: Command): string {
  return `\`${[name, argumentUsage(args)].join(' ').trim()}\``
}

function optionTable(options: Command['options']): string {
  const rows = Object.entries(options).map(([key, option]) => [
    `\`${optionTerm(key, option)}\``,
    described(option),
  ])
  return table(['option', 'means'], rows)
}
