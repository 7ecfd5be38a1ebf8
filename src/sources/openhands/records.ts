import type {
  ImportedAction,
  ImportedAttempt,
  ImportedNote,
  ImportedOperation,
  ImportedRecord,
  ImportedTask,
} from '../../core/imported.js'
import type { JsonValue } from '../../core/json.js'
import { foreignTime } from '../foreign-time.js'
import { partOf, textOf } from '../json-parts.js'
import { recordId } from '../record-id.js'
import type { ReadOptions } from '../source.js'
import type { Conversation, FoundEvent } from './conversation.js'
import type { ActionSeen, Found, Happening } from './happening.js'
import { outcomeOf, type Pair } from './outcome-rules.js'
import { createPairing, type Paired } from './pairing.js'
import { hasStopped, taskStatusOf } from './status.js'
import { happeningsOfV0, isV0Event } from './v0.js'
import { happeningsOfV1 } from './v1.js'
import { warned } from './warnings.js'

/** A goal is a text for a list; the whole prompt stands in the conversation. */
const LONGEST_GOAL = 2_000

/** A conversation as records, in constant memory. Where nothing says that it stopped, its last command may still run. */
export async function* recordsOf(
  conversation: Conversation,
  options: ReadOptions,
): AsyncGenerator<ImportedRecord> {
  const task = createTask(conversation)
  const pairing = createPairing({ workersStopped: options.assumeWorkersStopped === true })
  const seen = { noZone: false, disagree: false }
  const taskId = task.now().task_id
  const shown = function* (pairs: Iterable<Paired>): Generator<ImportedRecord> {
    for (const paired of pairs) yield* recordsOfPaired(paired, taskId, conversation)
  }
  yield task.now()
  yield* conversation.warnings
  for await (const found of conversation.events()) {
    if ('record' in found) {
      yield found
      continue
    }
    if (!seen.noZone && foreignTime(found.event.timestamp)?.hasZone === false) {
      seen.noZone = true
      yield warned('times_without_zone', 'its times name no zone and are read as UTC', found.where)
    }
    for (const happening of happeningsOf(found)) {
      task.take(happening)
      if (happening.is === 'action') yield* shown(pairing.action(happening, found.where))
      else if (happening.is === 'answer') yield* shown(pairing.answer(happening, found.where))
      else yield* recordsBeside(happening, taskId, conversation)
    }
  }
  yield* shown(pairing.end({ hasEnded: hasStopped(task.word()) }))
  // The SDK writes it into the state alone, the server into the events too.
  if (task.word() === 'stuck' && !task.isStuckTold()) yield stuckNote(taskId, null, null)
  yield task.now()
}

function happeningsOf({ event, where }: FoundEvent): readonly Happening[] {
  return isV0Event(event) ? happeningsOfV0(event, where) : happeningsOfV1(event)
}

function createTask({ id, path, state }: Conversation) {
  const own = textOf(state?.execution_status)
  let goal: string | null = null
  let word: string | null = null
  let reason: string | null = null
  let first: number | null = null
  let last: number | null = null
  const current = (): string | null => word ?? own
  return {
    word: current,
    isStuckTold: () => word === 'stuck',
    take(happening: Happening): void {
      const { at } = happening
      first ??= at
      if (at !== null && (last === null || at > last)) last = at
      if (happening.is === 'message' && happening.by === 'person')
        goal ??= happening.text.slice(0, LONGEST_GOAL)
      if (happening.is !== 'status') return
      // The words that follow an end by themselves say less than it.
      word = happening.word
      reason = happening.reason
    },
    now(): ImportedTask {
      const status = taskStatusOf(current())
      const model = textOf(partOf(partOf(state?.agent ?? null, 'llm'), 'model'))
      return {
        record: 'task',
        task_id: recordId('openhands', id),
        parent_task_id: null,
        goal: goal?.toWellFormed() ?? null,
        status,
        status_reason: current() === null ? null : `${current()}${reason === null ? '' : `: ${reason}`}`,
        agent: 'openhands',
        thread: { source: 'openhands', uri: path, thread_id: id },
        workspace: textOf(partOf(state?.workspace ?? null, 'working_dir')),
        labels: model === null ? {} : { model },
        deadline_at: null,
        heartbeat_at: null,
        activity_at: last,
        progress_at: null,
        created_at: first,
        closed_at: ['completed', 'failed', 'cancelled'].includes(status) ? last : null,
      }
    },
  }
}

function* recordsOfPaired(
  paired: Paired,
  taskId: string,
  conversation: Conversation,
): Generator<ImportedRecord> {
  if (paired.is === 'values_dropped') {
    yield warned(
      'values_not_kept',
      'too much has no last answer: inputs and answers from here on are left out',
      null,
    )
    return
  }
  if (paired.is === 'repeated') {
    yield warned('repeated_event', `action ${paired.action.id} stands there twice`, paired.where)
    return
  }
  if (paired.is === 'orphan') {
    const { actionId, callId } = paired.answer
    const whose = actionId === null ? `call ${callId ?? 'without id'}` : `action ${actionId}`
    yield warned('orphan_answer', `an answer to ${whose}, which stands nowhere`, paired.where)
    return
  }
  const { pair, n } = paired
  const timesDisagree = endOf(pair) === null && pair.answer?.at != null
  if (timesDisagree)
    yield warned('times_disagree', 'the answer is older than its action', `action ${pair.action.id}`)
  if (!pair.action.isInternal) yield operationOf(pair, n, { taskId, conversation })
  yield actionOf(pair, taskId)
}

function operationOf(
  pair: Pair,
  n: number,
  { taskId, conversation }: { taskId: string; conversation: Conversation },
): ImportedOperation {
  const { action, answer } = pair
  const rule = outcomeOf(pair)
  return {
    record: 'operation',
    operation_id: operationIdOf(conversation, action),
    task_id: taskId,
    tool: action.tool,
    phase: null,
    step: String(n),
    effect: action.effect,
    target: action.target,
    input: action.input,
    foreign_digest: null,
    idempotency_key: null,
    status: rule.status,
    foreign_status: answer?.kind ?? (action.standing === 'sent' ? 'no answer' : action.standing),
    rule: rule.id,
    why: `${rule.title}. ${rule.reason}`,
    attempts: attemptsOf(pair),
    external_ids: [],
    result: rule.end === 'applied' ? (answer?.result ?? null) : null,
    heartbeat_at: null,
    progress: null,
    checkpoint: {
      source: 'openhands',
      uri: conversation.path,
      thread_id: conversation.id,
      namespace: namespaceOf(action),
      node: action.tool,
      task_id: action.id,
    },
    without_leases: true,
    created_at: action.at,
    updated_at: answer?.at ?? action.at,
  }
}

export function operationIdOf({ id }: Conversation, action: Pick<ActionSeen, 'id'>): string {
  return recordId('openhands', id, action.id)
}

/** As checkpoints name a task that runs again: the tool, and the action. */
export function namespaceOf({ tool, id }: Pick<ActionSeen, 'tool' | 'id'>): string {
  return `${tool}:${id}`
}

function attemptsOf(pair: Pair): ImportedAttempt[] {
  const { action, answer } = pair
  const { end, title } = outcomeOf(pair)
  if (end === 'none') return []
  const message = answer?.text ?? title
  const code =
    answer?.exitCode === null || answer?.exitCode === undefined ? {} : { code: String(answer.exitCode) }
  return [
    {
      n: 1,
      owner: null,
      sent_at: action.at,
      ended_at: end === null ? null : endOf(pair),
      end,
      error: end === 'ambiguous' ? { message, ...code } : null,
    },
  ]
}

/** When the answer came; null where it is older than its action, for then one of the clocks was wrong. */
function endOf({ action, answer }: Pair): number | null {
  const at = answer?.at ?? null
  return at === null || (action.at !== null && at < action.at) ? null : at
}

function actionOf(pair: Pair, taskId: string): ImportedAction {
  const { action, answer } = pair
  const { end } = outcomeOf(pair)
  return {
    record: 'action',
    task_id: taskId,
    kind: 'tool',
    tool: action.tool,
    input: action.input,
    result: answer === null ? null : (answer.result ?? answer.text),
    outcome: answer === null ? null : end === 'applied' || answer.kind === 'running' ? 'ok' : 'error',
    at: action.at,
  }
}

function* recordsBeside(
  happening: Exclude<Happening, { is: 'action' | 'answer' }>,
  taskId: string,
  conversation: Conversation,
): Generator<ImportedRecord> {
  const { at } = happening
  if (happening.is === 'finding') yield noteOf(happening, taskId, conversation)
  else if (happening.is === 'status') {
    if (happening.word === 'stuck') yield stuckNote(taskId, happening.reason, at)
  } else if (happening.is === 'condensation') yield said('condensation', happening.summary, { taskId, at })
  else if (happening.by !== 'program')
    yield said(happening.by === 'agent' ? 'message' : 'input', happening.text, { taskId, at })
}

function said(
  kind: ImportedAction['kind'],
  text: string | null,
  { taskId, at }: { taskId: string; at: number | null },
): ImportedAction {
  const common = { record: 'action', task_id: taskId, tool: null, result: null, outcome: null } as const
  return { ...common, kind, input: text, at }
}

function noteOf(found: Found, taskId: string, conversation: Conversation): ImportedNote {
  const operation_id = found.actionId === null ? null : operationIdOf(conversation, { id: found.actionId })
  return { ...note(taskId, found.body, found.at), kind: found.kind, operation_id }
}

function stuckNote(taskId: string, reason: string | null, at: number | null): ImportedNote {
  return note(taskId, { what: 'OpenHands found that the agent is stuck', reason }, at)
}

function note(taskId: string, body: JsonValue, at: number | null): ImportedNote {
  return { record: 'note', task_id: taskId, operation_id: null, kind: 'finding', body, at }
}
