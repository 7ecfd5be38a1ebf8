import * as z from 'zod'
import { STALL_RULE_IDS } from '../stall/rule.js'
import { TASK_STATUSES } from '../task.js'
import { headed } from './head-schema.js'
import { riskSchema, timeSchema } from './parts-schema.js'
import type { StatusDocument } from './status.js'

const group = {
  count: z.int(),
  oldest_at: timeSchema.nullable(),
  oldest: z.string().nullable().describe('its id'),
}

const body = {
  in_doubt: z.strictObject({
    ...group,
    risk: riskSchema.nullable().describe('of the riskiest'),
    riskiest: z.string().nullable().describe('its id'),
  }),
  in_flight: z.strictObject({
    ...group,
    next_lease_ends_at: timeSchema.nullable(),
    without_lease: z.int().describe('of writers that take no leases'),
  }),
  not_sent: z.strictObject(group),
  awaiting_approval: z.int().describe('among those not sent'),
  stalled: z.array(
    z.strictObject({
      rule: z.enum(STALL_RULE_IDS),
      of: z.enum(['operation', 'task']),
      count: z.int(),
      oldest_since: timeSchema,
    }),
  ),
  causes: z.array(z.strictObject({ cause: z.string(), count: z.int(), oldest_at: timeSchema })),
  flagged: z.int().describe('settled, yet a person is asked'),
  claims: z.array(
    z.strictObject({
      subject: z.enum(['operation', 'task']),
      subject_id: z.string(),
      by: z.string(),
      until: timeSchema,
    }),
  ),
  tasks: z.strictObject({
    open: z.int(),
    taken_over: z.int(),
    paused: z
      .array(z.strictObject({ status: z.enum(TASK_STATUSES), count: z.int(), resumes: z.string() }))
      .describe('open ones that do not run, by the reason'),
  }),
  last_event_at: timeSchema.nullable(),
  is_silent: z.boolean().describe('nobody has written since before the leases ran out'),
  receipts_waiting: z.array(z.string()).describe('files beside the ledger with outcomes to be taken in'),
  next: z.strictObject({ command: z.string().nullable(), why: z.string() }),
}

z.strictObject(body) satisfies z.ZodType<StatusDocument>

/** status@1: `agent-ledger status`. */
export const statusDocument = headed('status@1', body).meta({
  title: 'status',
  description: 'What is open, the oldest of each, and the next command to type.',
})
