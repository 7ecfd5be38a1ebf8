import type { JsonValue } from '../../core/json.js'
import { createHeldValues } from '../held-values.js'
import { shortDigest } from '../record-id.js'
import type { Batch, CallEntry, Entry } from './entry.js'
import type { Answered } from './outcome-rules.js'

/** A call whose outcome is known as far as it will be, with when it was asked and answered. */
export interface Settled {
  readonly is: 'call'
  /** unique in the conversation */
  readonly key: string
  /** 1, 2, 3, … in the order in which they were asked */
  readonly n: number
  readonly answered: Answered
  readonly asked_at: number | null
  readonly answered_at: number | null
}

export type Seen =
  | Settled
  | { readonly is: 'orphan'; readonly id: string | null }
  | { readonly is: 'said'; readonly entry: Entry & { is: 'said' }; readonly at: number | null }
  | { readonly is: 'values_dropped' }

interface Call {
  readonly key: string
  readonly n: number
  /** the message it stands in, counted */
  readonly turn: number
  entry: CallEntry
  isOpen: boolean
  approved: boolean | null
  readonly at: number | null
}

/**
 * Joins calls and results of one conversation by their place: a result belongs to the newest message with an open call of
 * its id, and there to the first. A set of answered ids would hide a later call that has the id of an earlier one.
 */
export function createCalls() {
  const open = new Map<string, Call[]>()
  const times = new Map<string, number>()
  /** what stands for a call in a history → the calls that look so, in their order */
  const known = new Map<string, Call[]>()
  const held = createHeldValues()
  /** requests repeat here what was said before */
  let isExchange = false
  let knownSaid = 0
  let turn = 0
  let n = 0

  function* take({ isHistory, entries }: Batch, at: number | null): Generator<Seen> {
    turn += 1
    if (isHistory) isExchange = true
    const repeated = new Map<string, number>()
    const local = new Map<string, Call[]>()
    let said = 0
    for (const entry of entries) {
      if (entry.is === 'said') {
        said += 1
        // A history repeats what was said; the model's new words come outside of it.
        if (!isHistory || said > knownSaid) yield { is: 'said', entry, at }
      } else if (entry.is === 'call') {
        if (isHistory) turn += 1
        const call = isHistory ? (again(entry, repeated) ?? begin(entry, at)) : begin(entry, at)
        push(local, nameOf(entry), call)
        if (held.justDropped()) yield { is: 'values_dropped' }
        if (entry.outcome !== null && call.isOpen) yield settle(call, entry.outcome, at)
      } else yield* answer(entry, isHistory ? local : open, { at, isHistory })
    }
    knownSaid = isHistory ? Math.max(knownSaid, said) : knownSaid + said
  }

  function* answer(
    entry: Entry & { is: 'result' | 'approval' },
    among: Map<string, Call[]>,
    { at, isHistory }: { at: number | null; isHistory: boolean },
  ): Generator<Seen> {
    const call = newest(among.get(nameOf(entry)), isHistory)
    if (call === undefined) {
      yield { is: 'orphan', id: entry.id }
      return
    }
    if (isHistory) drop(among, nameOf(entry), call)
    if (!call.isOpen) return
    if (entry.is === 'result') yield settle(call, entry, at)
    else {
      call.approved = entry.approved
      if (!entry.approved) yield settle(call, null, at)
    }
  }

  /** Of the newest message that has one, the first. */
  function newest(calls: readonly Call[] | undefined, isHistory: boolean): Call | undefined {
    const last = calls?.at(-1)
    return isHistory || last === undefined ? last : calls?.find(call => call.turn === last.turn)
  }

  function begin(entry: CallEntry, at: number | null): Call {
    const id = entry.id ?? entry.name
    const time = (times.get(id) ?? 0) + 1
    times.set(id, time)
    n += 1
    const key = time === 1 ? id : `${id}#${time}`
    const call: Call = {
      key,
      n,
      turn,
      isOpen: true,
      approved: null,
      at,
      entry: { ...entry, input: held.hold(key, entry.input) },
    }
    push(open, nameOf(entry), call)
    if (isExchange) push(known, looksOf(entry), call)
    return call
  }

  /** The call that this one repeats: as often as it stands in the history, it was asked. */
  function again(entry: CallEntry, repeated: Map<string, number>): Call | undefined {
    const looks = looksOf(entry)
    const count = repeated.get(looks) ?? 0
    repeated.set(looks, count + 1)
    return known.get(looks)?.[count]
  }

  function settle(
    call: Call,
    found: { result: JsonValue; isError: boolean } | null,
    at: number | null,
  ): Settled {
    const answered = { call: call.entry, answer: found, approved: call.approved }
    call.isOpen = false
    drop(open, nameOf(call.entry), call)
    held.release(call.key)
    // Its input was given away; only its place is still needed.
    call.entry = { ...call.entry, input: null, outcome: null }
    const answeredAt = at !== null && call.at !== null && at < call.at ? null : at
    return { is: 'call', key: call.key, n: call.n, answered, asked_at: call.at, answered_at: answeredAt }
  }

  return {
    take,
    *end(): Generator<Seen> {
      const left = [...open.values()].flat().sort((a, b) => a.n - b.n)
      for (const call of left) yield settle(call, null, null)
    },
  }
}

/** By which a result finds its call. */
function nameOf(entry: { readonly id: string | null; readonly name?: string | null }): string {
  return entry.id === null ? `name ${'name' in entry ? entry.name : ''}` : `id ${entry.id}`
}

function looksOf({ id, name, input }: CallEntry): string {
  return `${id} ${name} ${shortDigest(JSON.stringify(input))}`
}

function push(calls: Map<string, Call[]>, name: string, call: Call): void {
  const list = calls.get(name)
  if (list === undefined) calls.set(name, [call])
  else list.push(call)
}

function drop(calls: Map<string, Call[]>, name: string, call: Call): void {
  const left = calls.get(name)?.filter(one => one !== call) ?? []
  if (left.length === 0) calls.delete(name)
  else calls.set(name, left)
}
