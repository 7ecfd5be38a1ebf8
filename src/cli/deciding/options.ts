import { argument, flag, optionalArgument, someText, value, wholeNumber } from '../parameters.js'

// Parameters that several decisions share, worded once.

export const operationArgument = argument('the operation', { completes: 'operation' })
export const optionalOperationArgument = optionalArgument('the operation', { completes: 'operation' })
export const taskArgument = argument('the task', { completes: 'task' })
export const subjectArgument = argument('an operation or a task', { completes: 'operation' })

export const reasonOption = value('text', 'why; stays on the record, asked for on a terminal', someText)

export const expectVersionOption = value(
  'n',
  'refuse it when the operation is no longer at this version',
  wholeNumber(1),
)

/** For ids that an operation and a task share. */
export const kindOptions = {
  operation: flag('the id is that of an operation'),
  task: flag('the id is that of a task'),
}

/** What `kindOptions` say. */
export function kindGiven({ operation, task }: { readonly operation: boolean; readonly task: boolean }) {
  if (task) return 'task'
  return operation ? 'operation' : undefined
}
