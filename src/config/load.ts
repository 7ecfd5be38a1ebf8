import { dirname } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { LedgerError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { DEFAULT_LEASE_MS } from '../core/lease.js'
import type { Contract, Repeat, RetryPolicy } from '../core/operation.js'
import type { ProbeDeclaration } from '../core/probe.js'
import { byName, type LedgerConfig, NO_CONFIG, type ToolConfig } from './config.js'
import { defined } from './defined.js'
import { type ConfigPlace, findConfig } from './find.js'
import { ledgerFrom } from './ledger-key.js'
import { type Mistake, mistakeFacts, schemaMistakes, syntaxMistakes } from './mistakes.js'
import { probeOf } from './probe-of.js'
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
    tools: toolsOf(file.tools ?? {}),
  })
}

type ToolEntry = NonNullable<ConfigFile['tools']>[string]

type ToolEntries = NonNullable<ConfigFile['tools']>

function toolsOf(entries: ToolEntries): LedgerConfig['tools'] {
  return byName(
    Object.entries(entries).map(([name, tool]) => {
      const own = toolOf(tool)
      const undoing = tool.compensate && compensateOf(tool.compensate, entries)
      return [name, undoing === undefined ? own : withCompensate(own, undoing)]
    }),
  )
}

function withCompensate(tool: ToolConfig, compensate: JsonObject): ToolConfig {
  return { ...tool, contract: { ...tool.contract, compensate } }
}

/** With what is declared of the tool that undoes: whoever undoes may not have this file. */
function compensateOf(compensate: NonNullable<ToolEntry['compensate']>, entries: ToolEntries): JsonObject {
  const entry = Object.hasOwn(entries, compensate.tool) ? entries[compensate.tool] : undefined
  if (entry === undefined) return asJson(defined(compensate))
  const { effect, repeat, contract } = toolOf(entry)
  return asJson({ ...defined(compensate), ...defined({ effect, repeat, contract }) })
}

function toolOf(tool: ToolEntry): ToolConfig {
  const { effect, repeat, timeout, retry, risk, digest, exit_codes } = tool
  const probe = tool.probe === undefined ? undefined : probeOf(tool.probe)
  return defined({
    effect,
    repeat: repeat === undefined ? undefined : repeatOf(repeat),
    contract: contractOf(tool, probe),
    probe,
    timeout_ms: timeout,
    max_attempts: retry?.max_attempts,
    amount: risk?.amount,
    digest_ignore: digest?.ignore,
    exit_codes: exit_codes === undefined ? undefined : defined(exit_codes),
  })
}

function repeatOf(repeat: NonNullable<ToolEntry['repeat']>): Repeat {
  if (repeat.kind !== 'idempotency_key') return repeat
  const { kind, retention, scope } = repeat
  return defined({ kind, retention_ms: retention ?? null, scope })
}

function contractOf(
  { arrival, settle, patience, look_here, stall, ...reading }: ToolEntry,
  probe: ProbeDeclaration | undefined,
): Contract {
  return defined({
    arrival_bound_ms: arrival,
    settle_ms: settle,
    patience_ms: patience,
    classify: reading.classify,
    ids: reading.ids,
    queues: reading.queues === true ? reading.queues : undefined,
    retry: retryOf(reading.retry),
    approval: reading.approval,
    probe: probe === undefined ? undefined : asJson(probe),
    look_here: look_here === undefined ? undefined : defined(look_here),
    stall: stall === undefined ? undefined : defined(stall),
  })
}

function retryOf(retry: ToolEntry['retry']): RetryPolicy | undefined {
  const { base, cap, max_elapsed, quota } = retry ?? {}
  const policy = defined({
    base_ms: base,
    cap_ms: cap,
    max_elapsed_ms: max_elapsed,
    quota:
      quota === undefined
        ? undefined
        : defined({ retries: quota.retries, per_ms: quota.per, destination: quota.destination }),
  })
  return Object.keys(policy).length === 0 ? undefined : policy
}

// What the configuration holds is JSON; its interfaces are not seen to be.
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

function read<A, B>(as: (one: A) => B) {
  return ([name, one]: readonly [string, A]): readonly [string, B] => [name, as(one)]
}
