import { decode, digestOf, type Unreadable } from './decode/index.js'
import { presentValue } from './present.js'
import type { CheckpointRow, Encoded, StoredChannel } from './rows.js'
import { field, isMarked, isObject, items, marked, type Value } from './values.js'

// Checked by hand and not with zod: loading zod would cost more than reading the file does.

/** Compared only with another of the same thread: numbers in JavaScript, text of equal length in Python. */
export type Version = number | string

export interface Checkpoint {
  /** layout: 4 is current, below 4 pending Sends lie with the parent, below 3 channels have other names */
  readonly v: number
  readonly id: string
  /** ISO-8601 with the offset that its language writes */
  readonly ts: string | null
  readonly values: ReadonlyMap<string, Value>
  readonly versions: ReadonlyMap<string, Version>
  /** node → channel → the version of it that the node has consumed */
  readonly seen: ReadonlyMap<string, ReadonlyMap<string, Version>>
  /** Sends of layouts before 4, where the checkpoint holds them itself */
  readonly pendingSends: readonly Value[]
}

export interface Metadata {
  readonly source: string | null
  readonly step: number | null
  /** namespace → checkpoint of the enclosing graph */
  readonly parents: ReadonlyMap<string, string>
}

export type Parsed<T> = { readonly isReadable: true; readonly value: T } | Unreadable

/** The `checkpoint` column. What does not have the shape of a checkpoint is unreadable, never half read. */
export function parseCheckpoint({
  checkpoint: stored,
  apart,
}: Pick<CheckpointRow, 'checkpoint' | 'apart'>): Parsed<Checkpoint> {
  const decoded = decode(stored)
  if (!decoded.isReadable) return decoded
  const { value } = decoded
  const [v, id, ts] = [field(value, 'v'), field(value, 'id'), field(value, 'ts')]
  const versions = versionsOf(field(value, 'channel_versions'))
  const seen = field(value, 'versions_seen')
  // With its values apart, JavaScript leaves the key out, and Python keeps what is small in it.
  const values = field(value, 'channel_values') ?? (apart === undefined ? undefined : {})
  if (typeof v !== 'number' || typeof id !== 'string' || !UUID.test(id) || !isObject(values))
    return notCheckpoint(stored, 'it is not a checkpoint: v, id or channel_values is missing')
  if (versions === undefined || !isObject(seen))
    return notCheckpoint(stored, 'it is not a checkpoint: channel_versions or versions_seen is missing')
  const whole = withApart(new Map(Object.entries(values)), apart ?? [])
  if (!whole.isReadable) return whole
  return {
    isReadable: true,
    value: {
      v,
      id,
      ts: typeof ts === 'string' ? ts : null,
      values: whole.value,
      versions,
      pendingSends: v < 4 ? items(field(value, 'pending_sends')) : [],
      seen: new Map(Object.entries(seen).map(([node, map]) => [node, versionsOf(map) ?? new Map()])),
    },
  }
}

/**
 * The values with those that are kept apart, which count where a channel has both. Of a value of the state it is enough to
 * know that it is there; without one that routes, nobody can say what would run.
 */
function withApart(
  values: Map<string, Value>,
  apart: readonly StoredChannel[],
): Parsed<ReadonlyMap<string, Value>> {
  for (const { channel, type, value } of apart) {
    if (type === 'empty') {
      values.delete(channel)
      continue
    }
    const decoded = value && decode(value)
    if (decoded?.isReadable) values.set(channel, decoded.value)
    else if (decoded && isRoute(channel))
      return { ...decoded, why: `the channel ${channel} cannot be read: ${decoded.why}` }
    else values.set(channel, marked('stored_apart', {}))
  }
  return { isReadable: true, value: values }
}

function isRoute(channel: string): boolean {
  return channel === '__pregel_tasks' || /^(?:branch|join|start):/.test(channel)
}

/**
 * The `metadata` column: in JavaScript by the type of the checkpoint, in Python always JSON. What is missing is null:
 * an unreadable metadata does not hide the checkpoint.
 */
export function parseMetadata(stored: Encoded): Metadata {
  const decoded = decode({ type: 'json', bytes: stored.bytes })
  const value = decoded.isReadable ? decoded.value : null
  const [source, step, parents] = [field(value, 'source'), field(value, 'step'), field(value, 'parents')]
  return {
    source: typeof source === 'string' ? source : null,
    step: typeof step === 'number' && Number.isSafeInteger(step) ? step : null,
    parents: new Map(
      isObject(parents)
        ? Object.entries(parents).flatMap(([namespace, id]) =>
            typeof id === 'string' ? [[namespace, id]] : [],
          )
        : [],
    ),
  }
}

/** A Send: `{node, args}` in JavaScript; in Python `langgraph.types.Send(node, arg)`, by name in its JSON of 2024. */
export function sendOf(
  value: Value | undefined,
): { readonly node: string; readonly args: Value } | undefined {
  const [node, args] = sendParts(value)
  return typeof node === 'string' ? { node, args: args ?? null } : undefined
}

function sendParts(value: Value | undefined): readonly (Value | undefined)[] {
  if (!isMarked(value)) return [field(value, 'node'), field(value, 'args')]
  if (!/(^|\.)Send$/.test(value.type)) return []
  return value.fields === null ? value.args : [value.fields.node, value.fields.arg]
}

export interface InterruptRecord {
  readonly id: string | null
  readonly value: Value
}

/** One entry of `__interrupt__`: an object in JavaScript, `langgraph.types.Interrupt` in Python; old ones have no id. */
export function interruptOf(value: Value): InterruptRecord {
  const fields: Value = isMarked(value) ? (value.fields ?? null) : value
  const id = field(fields, 'id') ?? field(fields, 'interrupt_id')
  return {
    id: typeof id === 'string' ? id : null,
    value: isObject(fields) ? (fields.value ?? null) : value,
  }
}

/** `__error__` as a line of text: `{name, message}` in JavaScript, the `repr` in Python. */
export function errorText(value: Value): string {
  if (typeof value === 'string') return value
  const [name, message] = [field(value, 'name'), field(value, 'message')]
  if (typeof message === 'string') return typeof name === 'string' ? `${name}: ${message}` : message
  if (isMarked(value)) return `${value.type}: ${value.args.map(argumentText).join(' ')}`
  return 'an error that says nothing of itself'
}

/** Not by `String`: what is decoded has no prototype, and so no text of its own. */
function argumentText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(presentValue(value))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function versionsOf(value: Value | undefined): Map<string, Version> | undefined {
  if (!isObject(value)) return undefined
  return new Map(
    Object.entries(value).flatMap(([channel, version]) =>
      typeof version === 'number' || typeof version === 'string' ? [[channel, version] as const] : [],
    ),
  )
}

function notCheckpoint({ type, bytes }: Encoded, why: string): Unreadable {
  return { isReadable: false, type: type ?? 'json', bytes: bytes.length, digest: digestOf(bytes), why }
}
