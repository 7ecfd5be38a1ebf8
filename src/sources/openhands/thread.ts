import { adviseOn } from '../../core/advice.js'
import type { CheckpointError, CheckpointThread, CheckpointWarning, WillRun } from '../../core/checkpoint.js'
import type { ImportedOperation, ImportedRecord } from '../../core/imported.js'
import { isoTime } from '../../core/iso-time.js'
import { textOf } from '../json-parts.js'
import type { ReadOptions } from '../source.js'
import { type Branch, readBranch } from './branch.js'
import type { Conversation } from './conversation.js'
import { namespaceOf, recordsOf } from './records.js'

/** Fewer than a person reads; how many more there are is said. */
const MOST_WARNINGS = 200

/**
 * What a resume of the conversation would do. V1 carries out each action without an answer on the active branch before it
 * asks its model anything (`_execute_actions` in agent.py), confirmed or not; V0 writes an error for it and goes on.
 */
export async function readThread(
  conversation: Conversation,
  options: ReadOptions,
): Promise<{ readonly thread: CheckpointThread; readonly actionIds: ReadonlySet<string> }> {
  const seen = await collect(conversation, options)
  const branch = await readBranch(conversation)
  const isV0 = branch.version === 'v0'
  const again = isV0 ? [] : seen.open.filter(operation => isOn(branch, operation))
  const awaits = textOf(conversation.state?.execution_status) === 'waiting_for_confirmation'
  const facts = {
    thread_id: conversation.id,
    checkpoint_id: branch.lastId,
    step: branch.count === 0 ? null : branch.count - 1,
    ts: branch.lastAt === null ? null : isoTime(branch.lastAt),
    get_state_next: [],
    will_run: again.map(willRun),
    enclosing: [],
    saved: [],
    interrupts: awaits
      ? again.map(({ checkpoint, tool, input }) => ({
          id: checkpoint?.task_id ?? null,
          node: tool,
          value: input,
          state: 'open' as const,
        }))
      : [],
    errors: seen.errors,
    warnings: [
      ...warningsAbout({ again, open: seen.open, isV0, awaits }),
      ...seen.madeUp.map(madeUpWarning),
      ...seen.warnings,
    ],
    replay_risk: [],
  }
  return { thread: { ...facts, advice: adviseOn(facts) }, actionIds: branch.actionIds }
}

function willRun({ tool, checkpoint, input }: ImportedOperation): WillRun {
  const id = checkpoint?.task_id ?? ''
  return {
    node: tool,
    task_id: id,
    namespace: namespaceOf({ tool, id }),
    reason: 'not_finished',
    args: input,
  }
}

function isOn({ actionIds }: Branch, { checkpoint }: ImportedOperation): boolean {
  return actionIds.has(checkpoint?.task_id ?? '')
}

/** Errors that OpenHands writes for an action it lost track of; the model takes them for an answer. */
const MADE_UP = ['openhands.restart_error', 'openhands.interrupted_error', 'openhands.not_executed_claim']

interface Collected {
  readonly madeUp: ImportedOperation[]
  readonly open: ImportedOperation[]
  readonly errors: CheckpointError[]
  readonly warnings: CheckpointWarning[]
}

async function collect(conversation: Conversation, options: ReadOptions): Promise<Collected> {
  const found: Collected = { open: [], madeUp: [], errors: [], warnings: [] }
  let left = 0
  for await (const record of recordsOf(conversation, options)) {
    if (record.record === 'operation') take(record, found)
    else if (record.record === 'note' && isError(record)) {
      const text = JSON.stringify(record.body)
      found.errors.push({ node: null, task_id: conversation.id, text })
    } else if (record.record === 'warning') {
      const { code, message, where } = record
      if (found.warnings.length >= MOST_WARNINGS) left += 1
      else found.warnings.push({ code, message: where === null ? message : `${where}: ${message}` })
    }
  }
  if (left > 0)
    found.warnings.push({ code: 'more_warnings', message: `${left} further warnings are left out` })
  return found
}

function take(operation: ImportedOperation, { open, madeUp, errors }: Collected): void {
  if (operation.rule === 'openhands.no_answer') open.push(operation)
  if (MADE_UP.includes(operation.rule)) madeUp.push(operation)
  const error = operation.attempts.at(-1)?.error ?? null
  if (error === null || !(MADE_UP.includes(operation.rule) || operation.rule === 'openhands.error_event'))
    return
  errors.push({ node: operation.tool, task_id: operation.checkpoint?.task_id ?? '', text: error.message })
}

function isError(note: ImportedRecord & { record: 'note' }): boolean {
  return note.kind === 'finding'
}

function madeUpWarning(operation: ImportedOperation): CheckpointWarning {
  const message = `${namesOf([operation])} was answered by an error that OpenHands made up: it may have happened, and the model takes it for not done`
  return { code: 'made_up_answer', message }
}

function namesOf(operations: readonly ImportedOperation[]): string {
  return operations.map(({ tool, checkpoint }) => `${tool} (${checkpoint?.task_id})`).join(', ')
}

function warningsAbout({
  again,
  open,
  isV0,
  awaits,
}: {
  again: readonly ImportedOperation[]
  open: readonly ImportedOperation[]
  isV0: boolean
  awaits: boolean
}): CheckpointWarning[] {
  const warnings: CheckpointWarning[] = []
  if (again.length > 0)
    warnings.push({
      code: 'runs_without_asking',
      message: `a resume carries out ${namesOf(again)} before the model is asked again, whether it had begun or not`,
    })
  if (again.length > 0 && awaits)
    warnings.push({
      code: 'resume_confirms',
      message:
        'the conversation waits for confirmation, and a resume counts as one; the state on the disk would say the same while a confirmed action is under way',
    })
  const others = open.filter(operation => !again.includes(operation))
  if (others.length > 0 && !isV0)
    warnings.push({
      code: 'action_outside_branch',
      message: `${namesOf(others)} may have happened, and a resume does not know of it: the state on the disk ends before it, or the conversation was taken up elsewhere; the model may ask for the same once more`,
    })
  if (isV0 && open.length > 0)
    warnings.push({
      code: 'answered_by_an_error',
      message: `a resume writes that ${namesOf(open)} was not executed, whether it was or not`,
    })
  return warnings
}
