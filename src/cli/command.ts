import type { Deps } from './deps.js'

/** The chapters of `agent-ledger --help`, in order. */
export const CHAPTERS = ['Look', 'Decide', 'Take over', 'From programs', 'Keep', 'About'] as const

/** What the parser hands over for one option or argument, before it is read. */
export type Raw = undefined | boolean | string | readonly string[]

/** An option or argument: how it is shown, and how its text becomes a value. */
export interface Parameter<T> {
  readonly summary: string
  /** what stands in for the value in help; absent for a flag */
  readonly placeholder?: string
  readonly choices?: readonly string[]
  /** may be given several times, or takes all that follows */
  readonly many?: boolean
  readonly required?: boolean
  /** how help words the value used when none is given */
  readonly fallback?: string
  /** completion offers live ids of this kind */
  readonly completes?: 'operation' | 'task'
  /** @throws LedgerError usage, when the text does not fit; `name` is what the person typed, for the message */
  readonly read: (raw: Raw, name: string) => T
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export interface Example {
  /** the line to type, with the program's name */
  readonly line: string
  readonly does: string
}

/**
 * All that is known of a command without loading what it does: parsing, help, completion, man page, the README's
 * table and the list of JSON documents are made from it. Keys of `options` are camelCase: `olderThan` is `--older-than`.
 */
export interface Command<A extends Parameters = Parameters, O extends Parameters = Parameters> {
  readonly name: string
  readonly chapter: (typeof CHAPTERS)[number]
  /** one line, without a full stop */
  readonly summary: string
  /** paragraphs shown under the usage line */
  readonly details?: readonly string[]
  /** in the order they are typed */
  readonly args: A
  readonly options: O
  readonly examples: readonly [Example, ...Example[]]
  /** names of the JSON documents it prints, `list@1` */
  readonly documents?: readonly string[]
  /** what `--fields` may name; absent: the command refuses `--fields` */
  readonly fields?: readonly string[]
  /** left out of help, completion and docs: only programs call it */
  readonly hidden?: boolean
  /** writes the ledger, so `--as-of` is refused */
  readonly writes?: boolean
}

/** The values a command's `run` gets: arguments and options under their own names. */
export type Given<C> =
  C extends Command<infer A, infer O> ? { readonly [K in keyof (A & O)]: Value<(A & O)[K]> } : never

/**
 * The registry. Declarations come with the command that is called: making those of all costs a start 3 ms, and only help
 * and completion need them.
 */
export interface Commands {
  /** what loads each, by its name */
  readonly entries: ReadonlyMap<string, () => Promise<Entry>>
  /** all declarations, in the order help shows them within their chapter */
  readonly declared: () => Promise<readonly Command[]>
}

/** One entry of the registry: a declaration, and how to start it. */
export interface Entry {
  readonly command: Command
  readonly start: (raw: Readonly<Record<string, Raw>>, deps: Deps) => Promise<number>
}

/** Declares a command; the types of its options and arguments are kept for `Given`. */
export function command<const A extends Parameters, const O extends Parameters>(
  declaration: Command<A, O>,
): Command<A, O> {
  return declaration
}

/** Joins a declaration to what carries it out. */
export function entry<A extends Parameters, O extends Parameters>(
  declaration: Command<A, O>,
  { run }: { readonly run: (given: Given<Command<A, O>>, deps: Deps) => Promise<number> },
): Entry {
  return { command: declaration, start: async (raw, deps) => run(readGiven(declaration, raw), deps) }
}

/** `olderThan` → `older-than`, as it is typed. */
export function typedName(key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** Reads every parameter of a declaration from what was typed. */
export function readAll<P extends Parameters>(
  parameters: P,
  raw: Readonly<Record<string, Raw>>,
  prefix: string,
): { readonly [K in keyof P]: Value<P[K]> } {
  const values = Object.entries(parameters).map(([key, parameter]) => {
    return [key, parameter.read(raw[key], `${prefix}${typedName(key)}`)] as const
  })
  // Object.fromEntries forgets which key goes with which type; the line above keeps them together.
  return Object.fromEntries(values) as { readonly [K in keyof P]: Value<P[K]> }
}

type Value<P> = P extends Parameter<infer T> ? T : never

function readGiven<A extends Parameters, O extends Parameters>(
  { args, options }: Command<A, O>,
  raw: Readonly<Record<string, Raw>>,
): Given<Command<A, O>> {
  const values = { ...readAll(args, raw, ''), ...readAll(options, raw, '--') }
  // The same fact as above, for the two lists together.
  return values as Given<Command<A, O>>
}
