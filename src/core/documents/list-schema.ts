import { z } from 'zod'
import { EFFECTS, OPERATION_STATUSES } from '../operation.js'
import type { ListDocument } from './list.js'
import {
  errorItemSchema,
  externalIdSchema,
  nextActionSchema,
  riskSchema,
  stallItemSchema,
} from './parts-schema.js'

export const listedOperationSchema = z.strictObject({
  operation_id: z.string(),
  task_id: z.string(),
  phase: z.string().nullable(),
  step: z.string().nullable(),
  tool: z.string(),
  effect: z.enum(EFFECTS).nullable(),
  target: z.string().nullable(),
  status: z.enum(OPERATION_STATUSES),
  in_doubt: z.boolean(),
  may_have_applied: z.boolean(),
  stalled_by: z.array(stallItemSchema),
  attempts: z.int(),
  external_ids: z.array(externalIdSchema),
  last_error: errorItemSchema.nullable(),
  cause: z.string().nullable(),
  age_ms: z.int(),
  risk: riskSchema,
  by_hand: z.strictObject({ by: z.string() }).nullable(),
  claimed_by: z.string().nullable(),
  next_action: nextActionSchema,
  version: z.int(),
})

const groupSchema = z.strictObject({
  cause: z.string().nullable(),
  count: z.int(),
  oldest_age_ms: z.int(),
  operations: z.array(z.string()),
})

/** `list@1` without its head (`schema`, `ledger`, `as_of`). */
export const listSchema = z.strictObject({
  operations: z.array(listedOperationSchema),
  groups: z.array(groupSchema).optional(),
  left_out: z.int(),
}) satisfies z.ZodType<ListDocument>
