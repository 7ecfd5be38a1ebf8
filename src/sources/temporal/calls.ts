import type { Call } from './call.js'
import { addPart, callPartOf, newCall } from './call-events.js'
import type { PendingActivity } from './describe.js'
import { entriesOf, type InputFile } from './entries.js'
import type { Run } from './run.js'
import { splitRuns } from './run-split.js'

/** A call as far as its file tells of it, with the run it belongs to. */
export interface FoundCall {
  readonly run: Run
  readonly call: Call
}

/**
 * The second pass: every call of every run, each as soon as nothing more can come of it. In ascending order that is its
 * end, in descending order its beginning, in no order the end of the run; only what is open is held.
 */
export async function* callsOf(files: readonly InputFile[], runs: readonly Run[]): AsyncGenerator<FoundCall> {
  const split = splitRuns()
  let current: Run | undefined
  let open = new Map<string, Call>()
  for await (const entry of entriesOf(files)) {
    if (entry.kind === 'end') split.end(entry)
    if (entry.kind !== 'event') continue
    const run = runs[split.runOf(entry)]
    if (run === undefined) continue
    if (run !== current && current !== undefined) yield* leftOf(current, open)
    if (run !== current) open = new Map()
    current = run
    const part = callPartOf(entry.event)
    if (part === null) continue
    const key = `${part.kind} ${part.openId}`
    const call = open.get(key) ?? newCall(part.kind, part.openId)
    open.set(key, call)
    addPart(call, part)
    if (run.order === 'mixed' || call.end === null || call.opened === null) continue
    open.delete(key)
    yield { run, call }
  }
  if (current !== undefined) yield* leftOf(current, open)
  for (const run of runs) if (run.events === 0) yield* leftOf(run, new Map())
}

function* leftOf(run: Run, open: ReadonlyMap<string, Call>): Generator<FoundCall> {
  const calls = [...open.values()].sort((a, b) => a.openId - b.openId)
  const pending = new Map(run.describe?.activities.map(item => [item.activityId, item]))
  // An id may be used again once its activity is over: the latest that is open has it.
  for (const call of calls.toReversed()) {
    if (call.end !== null) continue
    const id = call.opened?.activityId ?? ''
    if (call.kind === 'activity') call.pendingActivity = pending.get(id) ?? null
    if (call.kind === 'activity') pending.delete(id)
    if (call.kind === 'nexus')
      call.pendingNexus = run.describe?.nexus.find(item => item.scheduledEventId === call.openId) ?? null
  }
  for (const call of calls) yield { run, call }
  for (const item of pending.values()) yield { run, call: describedCall(item) }
}

/** An activity that only the describe answer knows of. */
function describedCall(item: PendingActivity): Call {
  const call = newCall('activity', 0)
  call.opened = {
    at: item.scheduledAt,
    taskId: `activity:${item.activityId}`,
    tool: item.type ?? 'unnamed activity',
    target: null,
    input: null,
    activityId: item.activityId,
    maximumAttempts: item.maximumAttempts,
    heartbeatTimeoutMs: item.heartbeatTimeoutMs,
    startToCloseMs: item.startToCloseMs,
    decision: null,
    requestId: null,
    parentClosePolicy: null,
  }
  call.pendingActivity = item
  return call
}
