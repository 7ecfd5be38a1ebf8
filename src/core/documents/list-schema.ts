import * as z from 'zod'
import { EFFECTS, OPERATION_STATUSES } from '../operation.js'
import { TASK_STATUSES } from '../task.js'
import { headed } from './head-schema.js'
import type { ListDocument } from './list.js'
import {
  errorItemSchema,
  externalIdSchema,
  nextActionSchema,
  riskSchema,
  stallItemSchema,
  verificationSchema,
} from './parts-schema.js'

const operation = z.strictObject({
  operation_id: z.string(),
  task_id: z.string(),
  phase: z.string().nullable(),
  step: z.string().nullable(),
  tool: z.string(),
  effect: z.enum(EFFECTS).nullable(),
  target: z.string().nullable(),
  status: z.enum(OPERATION_STATUSES),
  in_doubt: z.boolean().describe('nobody alive can tell whether it took effect'),
  may_have_applied: z.boolean(),
  stalled_by: z.array(stallItemSchema),
  attempts: z.int(),
  external_ids: z.array(externalIdSchema),
  last_error: errorItemSchema.nullable(),
  cause: z
    .string()
    .nullable()
    .describe('rule of the last error, tool and host: what failed alike has the same'),
  age_ms: z.int().describe('since it was written down'),
  risk: riskSchema,
  by_hand: z.strictObject({ by: z.string() }).nullable().describe('a person settled it'),
  verification: verificationSchema.nullable(),
  undone_by: z.string().nullable().describe('it took effect, and this operation undid it'),
  claimed_by: z.string().nullable(),
  next_action: nextActionSchema,
  version: z.int().describe('what a decision names, so that it is refused when the operation changed since'),
})

const group = z.strictObject({
  cause: z.string().nullable(),
  count: z.int(),
  oldest_age_ms: z.int(),
  operations: z.array(z.string()),
})

const body = {
  operations: z.array(operation).describe('with --jsonl each is a line of its own'),
  groups: z.array(group).optional().describe('with --group-by'),
  stalled_tasks: z
    .array(
      z.strictObject({
        task_id: z.string(),
        status: z.enum(TASK_STATUSES),
        goal: z.string().nullable(),
        stalled_by: z.array(stallItemSchema),
      }),
    )
    .optional()
    .describe(
      'tasks that stand still or go round, where stalled ones are asked for; with --jsonl each is a line of its own after the operations, under the one member stalled_task',
    ),
  left_out: z.int().describe('rows that --limit left out'),
  left_out_is_least: z.literal(true).optional(),
}

z.strictObject(body) satisfies z.ZodType<ListDocument>

/** list@1: `agent-ledger list`. */
export const listDocument = headed('list@1', body).meta({
  title: 'list',
  description: 'Operations, in the order asked for.',
})
