import { dirname } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { LedgerError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { DEFAULT_LEASE_MS } from '../core/lease.js'
import type { Contract, Repeat, RetryPolicy } from '../core/operation.js'
import type { ProbeDeclaration } from '../core/probe.js'
import { type FilledContract, serviceContract } from '../probes/contracts/index.js'
import { byName, type LedgerConfig, NO_CONFIG, type ToolConfig } from './config.js'
import { defined } from './defined.js'
import { type ConfigPlace, findConfig } from './find.js'
import { ledgerFrom } from './ledger-key.js'
import { longestKept } from './longest-kept.js'
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
    throw new LedgerError(
      'invalid_config',
      `${path} cannot be read: its aliases unfold to too much: ${why}`,
      {
        path,
        hint: 'Write out what the aliases (*name) stand for; nothing was written.',
        cause,
      },
    )
  }
}

function invalid(path: string, mistakes: readonly Mistake[]): LedgerError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
  const isUnknown = mistakes.some(({ says }) => says.endsWith(': no such key'))
  return new LedgerError('invalid_config', `${path} has ${count}`, {
    path,
    ...(isUnknown
      ? {
          hint: 'Correct the line named. A key of a newer agent-ledger is not known to this one (--version).',
        }
      : {}),
    facts: mistakeFacts(mistakes),
  })
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
  const { effect, timeout, retry, risk, digest, exit_codes } = tool
  const ready = readyOf(tool)
  const probe = tool.probe === undefined ? ready?.probe : probeOf(tool.probe)
  return defined({
    service: tool.service,
    effect: effect ?? ready?.contract.effect,
    repeat: repeatOf(tool.repeat, ready?.contract.repeat),
    contract: contractOf(tool, { probe, ready: ready?.contract }),
    probe,
    timeout_ms: timeout,
    max_attempts: retry?.max_attempts,
    amount: risk?.amount,
    digest_ignore: digest?.ignore,
    exit_codes: exit_codes === undefined ? undefined : defined(exit_codes),
  })
}

interface Ready {
  readonly contract: FilledContract
  readonly probe: ProbeDeclaration
}

/** The ready contract that a tool names. The schema has refused one that is not known or lacks a parameter. */
function readyOf({ service, with: given, settle }: ToolEntry): Ready | undefined {
  if (service === undefined) return undefined
  const named = defined({ service, with: given, settle_ms: settle })
  const contract = serviceContract(named)
  return 'problem' in contract ? undefined : { contract, probe: { kind: 'service', ...named } }
}

/** What a tool says goes before what is ready; a key without a retention is kept as long as the service keeps it. */
function repeatOf(own: ToolEntry['repeat'], ready: Repeat | undefined): Repeat | undefined {
  if (own === undefined) return ready
  if (own.kind !== 'idempotency_key') return own
  const { kind, retention, scope } = own
  const kept = ready?.kind === 'idempotency_key' ? ready : undefined
  return defined({
    kind,
    retention_ms: retention ?? kept?.retention_ms ?? null,
    scope: scope ?? kept?.scope,
  })
}

interface Beside {
  readonly probe: ProbeDeclaration | undefined
  readonly ready: FilledContract | undefined
}

function contractOf(
  { arrival, settle, keeps, patience, look_here, stall, ...reading }: ToolEntry,
  { probe, ready }: Beside,
): Contract {
  const classify = [...(reading.classify ?? []), ...(ready?.classify ?? [])]
  const looking = { ...ready?.look_here, ...defined(look_here ?? {}) }
  return defined({
    arrival_bound_ms: arrival ?? ready?.arrival_ms,
    settle_ms: settle,
    keeps_ms: keeps ?? longestKept(probe),
    patience_ms: patience,
    classify: classify.length === 0 ? reading.classify : classify,
    ids: reading.ids ?? (ready?.ids.length === 0 ? undefined : ready?.ids),
    queues: (reading.queues ?? ready?.queues) === true ? (true as const) : undefined,
    retry: retryOf(reading.retry),
    approval: reading.approval,
    probe: probe === undefined ? undefined : asJson(probe),
    look_here: Object.keys(looking).length === 0 ? undefined : looking,
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
