import type { ImportedAction, ImportedOperation, ImportedRecord, ImportedTask } from '../../core/imported.js'
import { callTarget } from '../call-target.js'
import { recordId, shortDigest } from '../record-id.js'
import { locatedValues } from '../text-file/located-values.js'
import { unreadable } from '../unreadable.js'
import { createCalls, type Seen, type Settled } from './calls.js'
import type { Batch } from './entry.js'
import { outcomeOf } from './outcome-rules.js'
import { unwrap } from './unwrap.js'
import { warned } from './warnings.js'

/** Lists of one document that are taken entry by entry, so that a log of any length can be read. */
export const LISTS = [
  'messages',
  'input',
  'output',
  'items',
  'history',
  'request.messages',
  'response.output',
]

const LONGEST_GOAL = 2_000

/** All records of a message log, in constant memory but for what is open. */
export async function* recordsOf(path: string): AsyncGenerator<ImportedRecord> {
  const log = createLog(path)
  for await (const found of locatedValues(path, { lists: LISTS })) {
    if (found.kind === 'skipped') {
      yield warned(found.code === 'torn_end' ? 'torn_end' : 'not_json', found.message, found.where)
      continue
    }
    yield* log.take(found.value, found.where)
  }
  yield* log.end()
}

interface Conversation {
  readonly id: string
  readonly taskId: string
  readonly calls: ReturnType<typeof createCalls>
  isTold: boolean
  goal: string | null
  first: number | null
  last: number | null
}

function createLog(path: string) {
  const conversations = new Map<string, Conversation>()
  const copies = new Set<string>()
  const skipped = { deltas: 0, deltaAt: '', others: 0, otherAt: '' }
  let current: Conversation | null = null

  function* take(value: Parameters<typeof unwrap>[0], where: string): Generator<ImportedRecord> {
    const { kind, batches, session, id, at } = unwrap(value)
    if (kind === 'delta' && skipped.deltas++ === 0) skipped.deltaAt = where
    if (kind === 'none' && skipped.others++ === 0) skipped.otherAt = where
    if (kind !== 'messages') return
    if (id !== null && copies.has(id)) {
      yield warned('repeated_message', `the message ${id} stands there twice`, where)
      return
    }
    if (id !== null) copies.add(id)
    for (const batch of batches) {
      const name = session ?? nameOf(batch) ?? current?.id ?? shortDigest(JSON.stringify(value))
      current = conversations.get(name) ?? begin(name)
      if (!current.isTold) yield taskOf(current, path)
      current.isTold = true
      note(current, batch, at)
      for (const seen of current.calls.take(batch, at)) yield* recordsOfSeen(seen, current, where)
    }
  }

  function begin(id: string): Conversation {
    const calls = createCalls()
    const fresh = {
      id,
      taskId: recordId('transcript', id),
      calls,
      isTold: false,
      goal: null,
      first: null,
      last: null,
    }
    conversations.set(id, fresh)
    return fresh
  }

  return {
    take,
    *end(): Generator<ImportedRecord> {
      const { deltas, deltaAt, others, otherAt } = skipped
      if (conversations.size === 0 && deltas > 0)
        throw unreadable(
          path,
          `holds only pieces of streamed answers (${deltas})`,
          'Log the whole messages: pieces are not put together here.',
        )
      if (conversations.size === 0)
        throw unreadable(path, 'holds no messages', 'docs/sources/transcript.md says which logs are read.')
      for (const conversation of conversations.values()) {
        for (const seen of conversation.calls.end()) yield* recordsOfSeen(seen, conversation, 'end')
        yield taskOf(conversation, path)
      }
      if (deltas > 0)
        yield warned('streaming_deltas', `${deltas} pieces of streamed answers were left out`, deltaAt)
      if (others > 0) yield warned('not_a_message', `${others} values are no messages`, otherAt)
    },
  }
}

/** A request that repeats its history tells by how it begins which conversation it belongs to. */
function nameOf({ isHistory, entries }: Batch): string | null {
  const first = entries.find(entry => entry.is === 'said' && entry.by === 'person')
  return isHistory && first?.is === 'said' ? shortDigest(first.text) : null
}

function note(conversation: Conversation, { entries }: Batch, at: number | null): void {
  for (const entry of entries)
    if (entry.is === 'said' && entry.by === 'person') conversation.goal ??= entry.text.slice(0, LONGEST_GOAL)
  if (at === null) return
  conversation.first ??= at
  conversation.last = Math.max(conversation.last ?? at, at)
}

function taskOf({ id, taskId, goal, first, last }: Conversation, path: string): ImportedTask {
  return {
    record: 'task',
    task_id: taskId,
    parent_task_id: null,
    goal: goal?.toWellFormed() ?? null,
    status: 'running',
    status_reason: null,
    agent: null,
    thread: { source: 'transcript', uri: path, thread_id: id },
    workspace: null,
    labels: {},
    deadline_at: null,
    heartbeat_at: null,
    activity_at: last,
    progress_at: null,
    created_at: first,
    closed_at: null,
  }
}

function* recordsOfSeen(seen: Seen, conversation: Conversation, where: string): Generator<ImportedRecord> {
  const { taskId } = conversation
  if (seen.is === 'values_dropped')
    yield warned('values_not_kept', 'too much has no result: inputs from here on are left out', where)
  else if (seen.is === 'orphan')
    yield warned('orphan_result', `a result of call ${seen.id ?? 'without id'}, which stands nowhere`, where)
  else if (seen.is === 'said') {
    if (seen.entry.by !== 'program') yield saidBy(seen, taskId)
  } else {
    yield operationOf(seen, conversation)
    yield actionOf(seen, taskId)
  }
}

function saidBy({ entry, at }: Seen & { is: 'said' }, task_id: string): ImportedAction {
  const kind = entry.by === 'agent' ? 'message' : 'input'
  return { record: 'action', task_id, kind, tool: null, input: entry.text, result: null, outcome: null, at }
}

function operationOf(
  { key, n, answered, asked_at, answered_at }: Settled,
  { id, taskId }: Conversation,
): ImportedOperation {
  const { call, answer } = answered
  const rule = outcomeOf(answered)
  const target = callTarget(call.input)
  const look = rule.status === 'unknown' && target !== null ? ` Look at ${target}.` : ''
  const message =
    typeof answer?.result === 'string' ? answer.result.slice(0, LONGEST_GOAL).toWellFormed() : rule.title
  return {
    record: 'operation',
    operation_id: recordId('transcript', id, key),
    task_id: taskId,
    tool: call.name,
    phase: null,
    step: String(n),
    // Nothing in a log says which calls write.
    effect: null,
    target,
    input: call.input,
    foreign_digest: null,
    idempotency_key: null,
    status: rule.status,
    foreign_status: answer === null ? 'no result' : answer.isError ? 'error result' : 'result',
    rule: rule.id,
    why: `${rule.title}. ${rule.reason}${look}`,
    attempts:
      rule.end === 'none'
        ? []
        : [
            {
              n: 1,
              owner: null,
              sent_at: asked_at,
              ended_at: answered_at,
              end: rule.end,
              error: rule.end === 'ambiguous' ? { message } : null,
            },
          ],
    external_ids: [],
    result: rule.end === 'applied' ? (answer?.result ?? null) : null,
    heartbeat_at: null,
    progress: null,
    checkpoint: null,
    without_leases: true,
    created_at: asked_at,
    updated_at: answered_at ?? asked_at,
  }
}

function actionOf({ answered, asked_at }: Settled, task_id: string): ImportedAction {
  const { call, answer } = answered
  const { end } = outcomeOf(answered)
  return {
    record: 'action',
    task_id,
    kind: 'tool',
    tool: call.name,
    input: call.input,
    result: answer?.result ?? null,
    outcome: answer === null ? null : end === 'applied' ? 'ok' : 'error',
    at: asked_at,
  }
}
