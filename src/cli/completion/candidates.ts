import { nameFirst } from '../argv.js'
import { type Command, type Parameter, type Parameters, typedName } from '../command.js'
import { globalsOf } from '../global-options.js'

/** One word a shell may offer. */
export interface Candidate {
  readonly word: string
  readonly summary: string
}

export interface Offer {
  readonly candidates: readonly Candidate[]
  /** the word is a path: let the shell offer files */
  readonly files: boolean
}

/** Ids of the ledger in use that begin with what was typed. */
export type LiveIds = (kind: 'operation' | 'task', typed: string) => Promise<readonly string[]>

interface Question {
  /** the words after the program's name; the last one is being typed and may be empty */
  readonly typed: readonly string[]
  readonly commands: readonly Command[]
  readonly liveIds: LiveIds
}

/** What can stand in the place of the last word. */
export async function offer({ typed, commands, liveIds }: Question): Promise<Offer> {
  const word = typed.at(-1) ?? ''
  const visible = commands.filter(command => command.hidden !== true)
  const before = nameFirst(typed.slice(0, -1))
  const command = visible.find(({ name }) => name === before[0])
  const isNamed = typed.slice(0, -1).includes(before[0] ?? '')
  if (command === undefined) return isNamed ? NOTHING : starting(visible, word)
  const options = { ...command.options, ...globalsOf(command) }
  const open = openOption(options, before.slice(1), word)
  if (open !== undefined) return values(open, liveIds)
  if (word.startsWith('-')) return beginning(flags(options), word)
  if (!isNamed) return starting(visible, word)
  const place = positionals(options, before.slice(1)).length
  const args = Object.values(command.args)
  const arg = args[place] ?? args.findLast(one => one.many === true)
  return arg === undefined ? NOTHING : values({ parameter: arg, typed: word, prefix: '' }, liveIds)
}

const NOTHING: Offer = { candidates: [], files: false }

// Shells put candidates through an expansion of their own (bash: compgen -W), where `$(…)` would run. An id that could
// mean anything there is not offered; it can still be typed.
const PLAIN = /^[\p{L}\p{N}._:/@+=-]+$/u

interface Open {
  readonly parameter: Parameter<unknown>
  readonly typed: string
  /** `--status=`, when the value is joined to its option */
  readonly prefix: string
}

function starting(commands: readonly Command[], word: string): Offer {
  if (word.startsWith('-')) return beginning(flags(globalsOf({})), word)
  return beginning(
    commands.map(({ name, summary }) => ({ word: name, summary })),
    word,
  )
}

// The option whose value is being typed: `--status <TAB>`, `--status=<TAB>`.
function openOption(options: Parameters, before: readonly string[], word: string): Open | undefined {
  const joined = /^(--[\w-]+)=(.*)$/s.exec(word)
  if (joined !== null) {
    const parameter = find(options, joined[1] ?? '')
    return parameter === undefined
      ? undefined
      : { parameter, typed: joined[2] ?? '', prefix: `${joined[1]}=` }
  }
  const parameter = find(options, before.at(-1) ?? '')
  return parameter?.placeholder === undefined ? undefined : { parameter, typed: word, prefix: '' }
}

function find(options: Parameters, word: string): Parameter<unknown> | undefined {
  return Object.entries(options).find(([key]) => `--${typedName(key)}` === word)?.[1]
}

async function values({ parameter, typed, prefix }: Open, liveIds: LiveIds): Promise<Offer> {
  const ids = parameter.completes === undefined ? [] : await liveIds(parameter.completes, typed)
  const words = [...(parameter.choices ?? []), ...ids.filter(id => PLAIN.test(id))]
  const candidates = words.map(word => ({ word: `${prefix}${word}`, summary: '' }))
  return {
    ...beginning(candidates, `${prefix}${typed}`),
    files: /path|file/.test(parameter.placeholder ?? ''),
  }
}

function positionals(options: Parameters, words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const takesValue = find(options, words[i - 1] ?? '')?.placeholder !== undefined
    return !word.startsWith('-') && !takesValue
  })
}

function flags(options: Parameters): readonly Candidate[] {
  const own = Object.entries(options).map(([key, { summary }]) => ({ word: `--${typedName(key)}`, summary }))
  return [...own, { word: '--help', summary: 'show help' }]
}

function beginning(candidates: readonly Candidate[], typed: string): Offer {
  return { candidates: candidates.filter(({ word }) => word.startsWith(typed)), files: false }
}
