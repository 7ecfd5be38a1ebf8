import { actorWords } from '../../core/actor.js'
import { decisionCode } from '../../core/decision-code.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { TaskDecided } from '../../ledger/task-decisions.js'
import { confirmOnRecord } from './confirm-on-record.js'
import type { Opened } from './opened.js'
import { printOutcome } from './outcome.js'
import { change } from './summary.js'

interface TaskWanted {
  readonly type: 'takeover' | 'handback' | 'cancel_task'
  readonly taskId: string
  readonly reason: string
  /** `Take over` */
  readonly verb: Safe
  /** what a person should know before they say yes */
  readonly consequences: readonly Safe[]
  /** the code has to be typed */
  readonly isDangerous: boolean
}

/** Shows what a decision about a task would do, asks, carries it out and prints what it moved. */
export async function decideTask(opened: Opened, wanted: TaskWanted): Promise<number> {
  const { ledger, deps } = opened
  const { type, taskId, reason, verb, consequences, isDangerous } = wanted
  const { task } = await ledger.subject(taskId, 'task')
  const { show } = deps
  const code = show(decisionCode(taskId, task.version))
  if (!deps.global.yes) {
    const head = words`${show(taskId)}: ${show(task.status)}, version ${task.version}${
      isDangerous ? words`   code ${code}` : words``
    }`
    const goal = task.goal === null ? [] : [words`  ${show(task.goal, { max: 200 })}`]
    await deps.say(join([head, ...goal, ...consequences.map(line => words`  ${line}`)], '\n'))
  }
  await confirmOnRecord(opened, {
    label: words`${verb} ${show(taskId)}`,
    about: { task_id: taskId },
    decision: type,
    ...(isDangerous ? { code } : {}),
  })
  await printTaskOutcome(opened, type, await carryOut(opened, { type, taskId, reason }))
  return 0
}

function carryOut(
  { ledger }: Opened,
  { type, taskId, reason }: Pick<TaskWanted, 'type' | 'taskId' | 'reason'>,
): Promise<TaskDecided> {
  switch (type) {
    case 'takeover':
      return ledger.takeover(taskId, reason)
    case 'handback':
      return ledger.handback(taskId, reason)
    case 'cancel_task':
      return ledger.cancelTask(taskId, reason)
  }
}

/** Decisions that change who holds a task: what happened, and what that means. */
const HOLDING: ReadonlyMap<string, { readonly done: Safe; readonly means: Safe }> = new Map([
  ['takeover', { done: words`taken over`, means: words`nothing more of it is sent until it is handed back` }],
  ['handback', { done: words`handed back`, means: words`its run may send again` }],
])

async function printTaskOutcome(opened: Opened, decision: string, decided: TaskDecided): Promise<void> {
  const { before, after, operations } = decided
  const { show } = opened.deps
  const held = HOLDING.get(decision)
  await printOutcome(
    {
      decision,
      task_id: decided.task_id,
      before,
      after,
      ...(held === undefined
        ? {}
        : {
            line: words`${show(decided.task_id)}: ${held.done} by ${show(actorWords(opened.ledger.actor))}: ${held.means} (${movedWords(before, after, opened.deps)})`,
          }),
      moved: operations.map(({ operation: { operation_id, status, version } }) => ({
        operation_id,
        status,
        version,
      })),
      still_sending: decided.still_sending,
      undo: decided.undo,
    },
    opened,
  )
  for (const { operation } of operations)
    if (operation.compensates !== null && operation.status === 'cancelled')
      await opened.deps.say(
        words`! ${show(operation.compensates)} is not undone: ${show(operation.operation_id)} was to do that, and is cancelled`,
      )
}

/** The status only where it changed: `stays running` would be read as the opposite of what was done. */
function movedWords(before: TaskDecided['before'], after: TaskDecided['after'], deps: Opened['deps']): Safe {
  return before.status === after.status
    ? words`version ${before.version} → ${after.version}`
    : change(before, after, deps)
}
