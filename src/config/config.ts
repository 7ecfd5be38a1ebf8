import type { ExitContract } from '../core/exit-verdict.js'
import type { JsonValue } from '../core/json.js'
import { DEFAULT_LEASE_MS } from '../core/lease.js'
import type { Contract, Effect, Repeat } from '../core/operation.js'
import type { ProbeDeclaration } from '../core/probe.js'
import type { CountedRule, LimitedRule } from '../core/stall/limits.js'

/** What `agent-ledger.yaml` says, read: durations are milliseconds, paths absolute. What is not said is left out. */
export interface LedgerConfig {
  /** the file it was read from */
  readonly path?: string
  /** the ledger it names: an absolute path, or a URL */
  readonly ledger?: string
  /** who decides, where neither --by nor AGENT_LEDGER_BY says */
  readonly identity?: string
  /** further names under which a value is a secret */
  readonly redact: readonly string[]
  readonly stall: StallConfig
  readonly lease_ms: number
  /** by the tool's name; the object has no prototype, so that a tool named `constructor` finds nothing */
  readonly tools: Readonly<Record<string, ToolConfig>>
}

/** Thresholds of the stall rules by rule id: milliseconds, or how often. */
export type Thresholds = Readonly<Partial<Record<LimitedRule | CountedRule, number>>>

export interface StallConfig {
  readonly defaults: Thresholds
  readonly phases: Readonly<Record<string, Thresholds>>
}

/** One tool's entry. A tool without one declares nothing: it counts as irreversible and unsafe to repeat. */
export interface ToolConfig {
  /** the ready contract that gives what the tool does not declare itself; it is filled in here already */
  readonly service?: string
  readonly effect?: Effect
  readonly repeat?: Repeat
  /** what is copied into the row when an operation is prepared */
  readonly contract: Contract
  /** how the outside system is asked whether it happened; the same as `contract.probe` */
  readonly probe?: ProbeDeclaration
  readonly timeout_ms?: number
  readonly max_attempts?: number
  /** the amount at stake: a number, or the path of one in the input (`order.total`) */
  readonly amount?: number | string
  /** paths in the input that change from call to call and stay out of its digest */
  readonly digest_ignore?: readonly string[]
  /** what the exit codes of its command line mean, for `exec` */
  readonly exit_codes?: ExitContract
}

/** What holds where no configuration was found. */
export const NO_CONFIG: LedgerConfig = {
  redact: [],
  stall: { defaults: {}, phases: byName([]) },
  lease_ms: DEFAULT_LEASE_MS,
  tools: byName([]),
}

/** An object of names that people chose, without a prototype. */
export function byName<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const names: Record<string, T> = Object.create(null)
  for (const [name, one] of entries) names[name] = one
  return names
}

/** The amount at stake in one call; null where none is declared or the input has no number there. */
export function amountOf({ amount }: Pick<ToolConfig, 'amount'>, input: JsonValue): number | null {
  if (typeof amount !== 'string') return amount ?? null
  const found = amount.split('.').reduce<JsonValue | undefined>(member, input)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
