import { type Command, typedName } from './command.js'
import { GLOBAL_OPTIONS } from './global-options.js'

const DEFAULT_COMMAND = 'status'

/**
 * Puts the command's name first, so that global options may stand before it: `--json list` is `list --json`. Without a
 * name it is `status`. `--help` and `--version` alone stay alone.
 */
export function nameFirst(argv: readonly string[]): string[] {
  const before: string[] = []
  let i = 0
  while (i < argv.length) {
    const word = argv[i] ?? ''
    if (isAlone(word)) return [word, ...before, ...argv.slice(i + 1)]
    if (!word.startsWith('-') || word === '-') return [word, ...before, ...argv.slice(i + 1)]
    const length = globalLength(word)
    if (length === 0) break
    before.push(...argv.slice(i, i + length))
    i += length
  }
  return [DEFAULT_COMMAND, ...before, ...argv.slice(i)]
}

/** Whether `--json` or `--jsonl` was asked for, told before anything is parsed: errors in parsing are JSON too. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some(word => word === '--json' || word === '--jsonl')
}

/** Whether a flag such as `--no-color` was given. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes(flag)
}

/** Whether a word looks like a call for help. It may be what an option is given: what is loaded rests on this, nothing else. */
export function asksForHelp(argv: readonly string[]): boolean {
  return hasFlag(argv, '--help') || hasFlag(argv, '-h')
}

/** What was given to an option, told before anything is parsed. */
export function givenTo(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option)
  const joined = words.findLast(word => word.startsWith(`${option}=`))
  return at === -1 ? joined?.slice(option.length + 1) : words[at + 1]
}

/** The command that argv names, once `nameFirst` has put its name first. */
export function named(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name === argv[0])
}

function isAlone(word: string): boolean {
  return word === '--help' || word === '-h' || word === '--version' || word === '-V'
}

// How many words a global option takes: 0 when it is none.
function globalLength(word: string): number {
  const [name = ''] = word.split('=')
  const found = Object.entries(GLOBAL_OPTIONS).find(([key]) => `--${typedName(key)}` === name)
  if (found === undefined) return 0
  return found[1].placeholder === undefined || word.includes('=') ? 1 : 2
}
