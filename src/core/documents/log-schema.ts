import * as z from 'zod'
import { headed } from './head-schema.js'
import type { EventItem, LogDocument } from './log.js'
import { timeSchema } from './parts-schema.js'

/** One event, in `log@1` and in the history of `show@1`. */
export const eventSchema = z.strictObject({
  seq: z.int(),
  at: timeSchema,
  actor: z.string(),
  type: z.string(),
  subject: z.enum(['operation', 'task', 'ledger']),
  subject_id: z.string(),
  about: z.string().nullable().describe('what an event of the ledger itself concerns'),
  n: z.int(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  reason: z.string().nullable(),
  rule: z.string().nullable().describe('the rule that refused, of a refused decision'),
  body: z.json(),
  hash: z.string(),
}) satisfies z.ZodType<EventItem>

const body = { events: z.array(eventSchema).describe('with --jsonl each is a line of its own') }

z.strictObject(body) satisfies z.ZodType<LogDocument>

/** log@1: `agent-ledger log`. */
export const logDocument = headed('log@1', body).meta({
  title: 'log',
  description: 'Events, oldest first; refused decisions included.',
})
