import type { ImportedRecord } from '../../../core/imported.js'
import type { ThreadRows } from '../rows.js'
import { readThreadFully, type ThreadRequest } from '../thread.js'
import { recordsOfThread } from './operations.js'
import { taskOf } from './task.js'

/** A thread in the words of this project: its task first. `uri`: where the store lies, as it may be shown. */
export function threadRecords(rows: ThreadRows, request: ThreadRequest, uri: string): ImportedRecord[] {
  const { reading, levels } = readThreadFully(rows, request)
  const { thread } = reading
  const { record: task } = taskOf(thread, uri, rows.history('')[0]?.checkpointId)
  return [task, ...recordsOfThread({ rows, thread, levels, uri, taskId: task.task_id })]
}
