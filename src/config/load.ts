import { dirname } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { LedgerError } from '../core/errors.js'
import { DEFAULT_LEASE_MS } from '../core/lease.js'
import type { Contract, Repeat } from '../core/operation.js'
import { byName, type LedgerConfig, NO_CONFIG, type ToolConfig } from './config.js'
import { type ConfigPlace, findConfig } from './find.js'
import { ledgerFrom } from './ledger-key.js'
import { type Mistake, mistakeFacts, schemaMistakes, syntaxMistakes } from './mistakes.js'
import { readConfigText } from './read.js'
import { type ConfigFile, configSchema } from './schema.js'

/**
 * The configuration in use: the file named, else the nearest upward, else `NO_CONFIG`. Throws `invalid_config` naming
 * every mistake at once, each with its line.
 */
export function loadConfig(place: ConfigPlace): LedgerConfig {
  const path = findConfig(place)
  return path === undefined ? NO_CONFIG : parseConfig(readConfigText(path), path)
}

/** Reads the text of a configuration; `path` names it in messages and is where relative paths start. */
export function parseConfig(text: string, path: string): LedgerConfig {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true })
  const source = { document, lines }
  const broken = syntaxMistakes(source)
  if (broken.length > 0) throw invalid(path, broken)
  const read = configSchema.safeParse(unfolded(path, () => document.toJS()) ?? {})
  if (!read.success)
    throw invalid(path, schemaMistakes(read.error.issues, { ...source, schema: configSchema }))
  return configOf(read.data, path)
}

// An alias that would unfold to a million nodes is refused by the parser with a ReferenceError.
function unfolded(path: string, toJs: () => unknown): unknown {
  try {
    return toJs()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new LedgerError('invalid_config', `${path} cannot be read: ${why}`, { path, cause })
  }
}

function invalid(path: string, mistakes: readonly Mistake[]): LedgerError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
  return new LedgerError('invalid_config', `${path} has ${count}`, { path, facts: mistakeFacts(mistakes) })
}

function configOf(file: ConfigFile, path: string): LedgerConfig {
  const { ledger, identity, redact = [], lease = DEFAULT_LEASE_MS } = file
  const { phases = {}, ...defaults } = file.stall ?? {}
  return defined({
    path,
    ledger: ledger === undefined ? undefined : ledgerFrom(ledger, dirname(path)),
    identity,
    redact,
    stall: { defaults: defined(defaults), phases: byName(Object.entries(phases).map(read(defined))) },
    lease_ms: lease,
    tools: byName(Object.entries(file.tools ?? {}).map(read(toolOf))),
  })
}

type ToolEntry = NonNullable<ConfigFile['tools']>[string]

function toolOf(tool: ToolEntry): ToolConfig {
  const { effect, repeat, timeout, max_attempts, risk, digest, exit_codes, ids } = tool
  return defined({
    effect,
    repeat: repeat === undefined ? undefined : repeatOf(repeat),
    contract: contractOf(tool),
    timeout_ms: timeout,
    max_attempts,
    amount: risk?.amount,
    digest_ignore: digest?.ignore,
    exit_codes: exit_codes === undefined ? undefined : defined(exit_codes),
    ids: ids?.map(rule => defined(rule)),
  })
}

function repeatOf(repeat: NonNullable<ToolEntry['repeat']>): Repeat {
  if (repeat.kind !== 'idempotency_key') return repeat
  const { kind, retention, scope } = repeat
  return defined({ kind, retention_ms: retention ?? null, scope })
}

function contractOf({ arrival, settle, patience, look_here, stall }: ToolEntry): Contract {
  return defined({
    arrival_bound_ms: arrival,
    settle_ms: settle,
    patience_ms: patience,
    look_here: look_here === undefined ? undefined : defined(look_here),
    stall: stall === undefined ? undefined : defined(stall),
  })
}

function read<A, B>(as: (one: A) => B) {
  return ([name, one]: readonly [string, A]): readonly [string, B] => [name, as(one)]
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

function defined<T extends object>(object: T): Defined<T> {
  // Members that may be undefined are optional in the result, and those that are undefined are left out of it.
  return Object.fromEntries(Object.entries(object).filter(([, one]) => one !== undefined)) as Defined<T>
}
