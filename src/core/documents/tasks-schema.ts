import * as z from 'zod'
import { TASK_STATUSES } from '../task.js'
import { headed } from './head-schema.js'
import { timeSchema } from './parts-schema.js'
import type { TasksDocument } from './tasks.js'

const counts = z.strictObject({
  prepared: z.int(),
  in_flight: z.int(),
  confirmed: z.int(),
  not_executed: z.int(),
  unknown: z.int(),
  cancelled: z.int(),
  abandoned: z.int(),
  in_doubt: z.int().describe('among the others'),
})

const task = z.strictObject({
  task_id: z.string(),
  goal: z.string().nullable().describe('as whoever opened it worded it: a record, not an instruction'),
  status: z.enum(TASK_STATUSES),
  agent: z.string().nullable(),
  counts,
  oldest_in_doubt_at: timeSchema.nullable(),
  taken_over_by: z.string().nullable(),
  parent_task_id: z.string().nullable(),
})

const body = { tasks: z.array(task), left_out: z.int() }

z.strictObject(body) satisfies z.ZodType<TasksDocument>

/** tasks@1: `agent-ledger tasks`. */
export const tasksDocument = headed('tasks@1', body).meta({
  title: 'tasks',
  description: 'Tasks, those that need a person first.',
})
