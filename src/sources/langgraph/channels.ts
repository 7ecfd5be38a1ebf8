import type { Checkpoint, Version } from './schema.js'
import { isList, isUndefined, items, type Value } from './values.js'

// The channels in which a graph keeps what comes next (both languages, checkpoint layout 4).
export const START = '__start__'
export const TASKS = '__pregel_tasks'

/**
 * `branch:to:node`: the node that this edge starts. Layouts before 3 (Python before April 2025) wrote `start:node` and
 * `branch:source:condition:node` as well; v is the layout.
 */
export function branchTarget(channel: string, v: number): string | undefined {
  if (channel.startsWith('branch:to:')) return channel.slice('branch:to:'.length)
  if (v >= 3) return undefined
  const [kind, ...rest] = channel.split(':')
  if (kind === 'start' && rest.length === 1) return rest[0]
  return kind === 'branch' && rest.length === 3 ? rest[2] : undefined
}

export interface Join {
  readonly node: string
  /** the names it waits for, joined by `+`; a `+` inside a node's name makes the split ambiguous, not the count */
  readonly names: string
}

/** `join:a+b:node`: the node that starts when a and b have run. */
export function joinOf(channel: string): Join | undefined {
  const match = /^join:(.+):([^:]+)$/s.exec(channel)
  return match?.[1] === undefined || match[2] === undefined ? undefined : { names: match[1], node: match[2] }
}

/** Does the node wait until nothing else is left to run? `undefined` where the value does not tell. */
export function isDeferred(value: Value | undefined): boolean | undefined {
  if (isUndefined(value)) return true
  return isPair(value) ? true : undefined
}

/**
 * Can the channel start a node now? A key that is there counts, with two exceptions: a deferred node's value is
 * `[value, whether everything else has finished]`, and a join is full only when it has seen all its names.
 */
export function isAvailable(channel: string, checkpoint: Pick<Checkpoint, 'v' | 'values'>): boolean {
  const value = checkpoint.values.get(channel)
  if (value === undefined || isUndefined(value)) return false
  const join = joinOf(channel)
  if (join) {
    const [seen, isFinished] = isPair(value) ? [value[0], value[1] === true] : [value, true]
    return isFinished && isFull(join, textsOf(seen))
  }
  if (branchTarget(channel, checkpoint.v) !== undefined && isPair(value)) return value[1] === true
  return true
}

/** Have all names been seen? By total length, so that names with a `+` in them need not be taken apart. */
export function isFull({ names }: Join, seen: ReadonlySet<string>): boolean {
  const length = [...seen].reduce((sum, name) => sum + name.length, 0) + Math.max(0, seen.size - 1)
  return seen.size > 0 && length === names.length && [...seen].every(name => names.includes(name))
}

/** The names a join has seen so far, deferred or not. */
export function seenNames(value: Value | undefined): ReadonlySet<string> {
  return textsOf(isPair(value) ? value[0] : value)
}

/** Has the channel a version that the node has not consumed yet? */
export function isFresh(channel: string, node: string, checkpoint: Checkpoint): boolean {
  const version = checkpoint.versions.get(channel)
  const consumed = checkpoint.seen.get(node)?.get(channel)
  return version !== undefined && (consumed === undefined || isNewer(version, consumed))
}

// Python's versions are zero-padded text, so their order as text is their order in time.
function isNewer(version: Version, other: Version): boolean {
  return typeof version === 'number' && typeof other === 'number'
    ? version > other
    : String(version) > String(other)
}

function isPair(value: Value | undefined): value is readonly [Value, boolean] {
  return isList(value) && value.length === 2 && typeof value[1] === 'boolean'
}

function textsOf(value: Value | undefined): ReadonlySet<string> {
  return new Set(items(value).filter(item => typeof item === 'string'))
}
