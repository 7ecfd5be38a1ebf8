import * as z from 'zod'
import { headed } from './head-schema.js'
import { timeSchema } from './parts-schema.js'

/** watch@1: one line of `agent-ledger watch --jsonl`. */
export const watchDocument = headed('watch@1', {
  event: z
    .enum([
      'leading',
      'following',
      'unreachable',
      'noticed',
      'suspended',
      'ended',
      'orphaned',
      'held_back',
      'not_told',
    ])
    .describe(
      'leading, following: it supervises, or another one does; noticed, suspended, ended: a notice was given, its task was fenced off, what it named is over; orphaned: an operation lost its executor; held_back: not fenced off, and why; not_told: a notification failed',
    ),
  subject: z.enum(['operation', 'task']).nullable(),
  subject_id: z.string().nullable(),
  task_id: z.string().nullable(),
  rule: z.string().nullable(),
  reason: z.string(),
  grace_until: timeSchema.nullable().describe('when its task is fenced off if nothing changes'),
}).meta({ title: 'watch', description: 'What a supervisor did, one document a line.' })
