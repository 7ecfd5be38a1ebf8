import type { CheckpointThread } from '../../../core/checkpoint.js'
import type {
  ImportedAction,
  ImportedAttempt,
  ImportedNote,
  ImportedOperation,
  ImportWarning,
} from '../../../core/imported.js'
import type { PlannedLevel } from '../map.js'
import type { ThreadRows } from '../rows.js'
import { type AskedCall, callsIn } from './calls.js'
import { conversationOf, type Spoken } from './conversation.js'
import { jsonOf, textOf } from './json-of.js'
import { CALL_RULES, type CallFacts, runOf } from './rules.js'
import { timeInId } from './task.js'

type Told = ImportedOperation | ImportedAction | ImportedNote | ImportWarning

export interface TellableThread {
  readonly rows: ThreadRows
  readonly thread: CheckpointThread
  readonly levels: readonly PlannedLevel[]
  /** where the store lies, as it may be shown */
  readonly uri: string
  readonly taskId: string
}

/** What a thread tells of its tools: each call as an operation, each step as an action, what is open as a note. */
export function recordsOfThread(told: TellableThread): Told[] {
  const conversation = conversationOf(told.rows, told.levels)
  const { calls, strayAnswers } = callsIn(conversation)
  const where = told.thread.thread_id
  return [
    ...calls.map(call => operationOf(call, told)),
    ...actionsOf(conversation, calls, told),
    ...told.thread.interrupts
      .filter(({ state }) => state === 'open' || state === 'answer_reused')
      .map(
        ({ id, node, value }): ImportedNote => ({
          record: 'note',
          task_id: told.taskId,
          operation_id: null,
          kind: 'open',
          body: { question: value, node, interrupt_id: id },
          at: told.thread.ts === null ? null : Date.parse(told.thread.ts),
        }),
      ),
    ...calls
      .filter(({ answers }) => answers.length > 1)
      .map(({ call, answers }): ImportWarning => {
        const message = `${call.tool} (${call.id}) has ${answers.length} answers: it may have run as often`
        return { record: 'warning', code: 'tool_answered_twice', message, where }
      }),
    ...strayAnswers.map(({ message }): ImportWarning => {
      const text = `an answer to ${message.callId} is stored, and no call with that id`
      return { record: 'warning', code: 'answer_without_call', message: text, where }
    }),
    ...told.thread.warnings.map(
      ({ code, message }): ImportWarning => ({ record: 'warning', code, message, where }),
    ),
  ]
}

function operationOf(asked: AskedCall, { thread, levels, uri, taskId }: TellableThread): ImportedOperation {
  const run = runOf(asked, thread.will_run)
  const facts: CallFacts = { ...asked, run, isSuperstepOpen: isSuperstepOpen(asked.asked, levels) }
  const rule = CALL_RULES.find(({ applies }) => applies(facts)) ?? CALL_RULES[CALL_RULES.length - 1]
  if (rule === undefined) throw new RangeError('there are no rules for calls')
  const { call, occurrence, answers } = asked
  const answer = answers.find(({ message }) => !message.isError) ?? answers.at(-1)
  const spoken = answer?.spoken ?? asked.asked
  const step = thread.checkpoint_id === asked.asked.checkpointId ? thread.step : null
  return {
    record: 'operation',
    operation_id: `${taskId}:${call.id}${occurrence === 1 ? '' : `#${occurrence}`}`,
    task_id: taskId,
    tool: call.tool,
    phase: null,
    step: run?.node ?? null,
    effect: null,
    target: null,
    input: jsonOf(call.args),
    foreign_digest: null,
    idempotency_key: null,
    status: rule.status,
    foreign_status: answer === undefined ? 'no answer' : answer.message.isError ? 'error' : 'success',
    rule: rule.id,
    why: `${rule.says(facts)}. ${rule.reason}`,
    attempts: attemptsOf(asked),
    external_ids: [],
    result: answer === undefined ? null : jsonOf(answer.message.content),
    heartbeat_at: null,
    progress: null,
    checkpoint: {
      source: 'langgraph',
      uri,
      thread_id: thread.thread_id,
      checkpoint_id: spoken.checkpointId,
      ...placeOf(spoken, run),
      ...(run === undefined || step === null ? {} : { step: step + 1 }),
    },
    without_leases: true,
    created_at: timeInId(asked.asked.checkpointId),
    updated_at: timeInId(spoken.checkpointId),
  }
}

/** Where the join of a resume finds it: at the task that would run, else at the one that wrote it. */
function placeOf(spoken: Spoken, run: CallFacts['run']) {
  if (run !== undefined)
    return {
      node: run.node,
      ...(run.namespace === null ? {} : { namespace: run.namespace }),
      ...(run.task_id === null ? {} : { task_id: run.task_id }),
    }
  return spoken.taskId === null ? {} : { task_id: spoken.taskId }
}

function attemptsOf({ asked, answers }: AskedCall): ImportedAttempt[] {
  const sent_at = timeInId(asked.checkpointId)
  if (answers.length === 0)
    return [{ n: 1, owner: null, sent_at, ended_at: null, end: 'ambiguous', error: null }]
  return answers.map(({ message, spoken }, index) => ({
    n: index + 1,
    owner: null,
    sent_at: timeInId(spoken.checkpointId),
    ended_at: null,
    end: message.isError || spoken.isByHand ? 'ambiguous' : 'applied',
    error: message.isError ? { message: textOf(message.content) } : null,
  }))
}

function isSuperstepOpen({ namespace, checkpointId, taskId }: Spoken, levels: readonly PlannedLevel[]) {
  const own = levels.find(
    ({ level }) => level.namespace === namespace && level.checkpoint.id === checkpointId,
  )
  return taskId !== null && own?.tasks.some(({ standing }) => standing !== 'saved') === true
}

/** Each call where it was asked for, and each message that asks for none, in the order in which they were said. */
function actionsOf(
  conversation: readonly Spoken[],
  calls: readonly AskedCall[],
  { taskId }: TellableThread,
): ImportedAction[] {
  const byMessage = new Map<Spoken, AskedCall[]>()
  for (const call of calls) byMessage.set(call.asked, [...(byMessage.get(call.asked) ?? []), call])
  return conversation.flatMap((spoken): ImportedAction[] => {
    const at = timeInId(spoken.checkpointId)
    const own = byMessage.get(spoken) ?? []
    const common = { record: 'action', task_id: taskId, at } as const
    if (own.length > 0)
      return own.map(({ call, answers }) => ({
        ...common,
        kind: 'tool',
        tool: call.tool,
        input: jsonOf(call.args),
        result: answers[0] === undefined ? null : jsonOf(answers[0].message.content),
        outcome: answers[0] === undefined ? null : answers[0].message.isError ? 'error' : 'ok',
      }))
    if (spoken.message.kind !== 'ai' || spoken.message.calls.length > 0) return []
    const input = jsonOf(spoken.message.content)
    return [{ ...common, kind: 'message', tool: null, input, result: null, outcome: 'ok' }]
  })
}
