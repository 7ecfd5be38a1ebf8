import * as z from 'zod'
import { CATEGORIES } from '../category.js'
import { NEXT_ACTIONS } from '../next-action.js'
import { LIMIT_ORIGINS } from '../stall/limits.js'
import { STALL_RULE_IDS } from '../stall/rule.js'
import { TASK_STATUSES } from '../task.js'
import type { PauseItem } from '../task-pauses.js'
import type { ErrorItem, LookHere, NextActionItem, StallItem } from './parts.js'
import type { ApprovalItem, NoteItem } from './report.js'

// Schemas stand in modules of their own: no reading command loads zod.

/** ISO-8601 UTC with milliseconds. */
export const timeSchema = z.iso.datetime({ precision: 3 })

export const riskSchema = z.enum([
  'undeclared',
  'irreversible',
  'mitigable',
  'compensable',
  'reversible',
  'read',
])

export const externalIdSchema = z.strictObject({
  kind: z.string(),
  value: z.string(),
  url: z.string().optional(),
  scope: z.string().optional(),
})

export const errorItemSchema = z.strictObject({
  rule: z.string(),
  message: z.string(),
  at: timeSchema,
  attempt: z.int().nullable(),
  code: z.string().optional(),
  host: z.string().optional(),
}) satisfies z.ZodType<ErrorItem>

export const stallItemSchema = z.strictObject({
  rule: z.enum(STALL_RULE_IDS),
  since: timeSchema,
  reason: z.string(),
  limit_ms: z.int().nullable(),
  limit_from: z.enum(LIMIT_ORIGINS).nullable(),
  limit_count: z.int().optional(),
  attempts: z.array(z.int()).optional(),
  operations: z.array(z.string()).optional(),
  gap_ms: z.int().optional(),
  timeout_ms: z.int().nullable().optional(),
  keys_differ: z.boolean().optional(),
  times: z.int().optional(),
  first_at: timeSchema.optional(),
  last_at: timeSchema.optional(),
  period: z.int().optional(),
  spent: z.array(z.strictObject({ part: z.string(), used: z.number(), allowed: z.number() })).optional(),
}) satisfies z.ZodType<StallItem>

export const nextActionSchema = z.strictObject({
  domain: z.enum(['node', 'external_operation', 'connection', 'state_store']),
  category: z.enum(CATEGORIES).nullable(),
  operation_id: z.string(),
  attempts: z.int(),
  safe_to_repeat: z.boolean(),
  next_action: z.enum(NEXT_ACTIONS),
  reason: z.string(),
  not_before: timeSchema.nullable(),
  safe_until: timeSchema.nullable(),
}) satisfies z.ZodType<NextActionItem>

export const lookHereSchema = z.strictObject({
  url: z.string().nullable(),
  check: z.string().nullable(),
}) satisfies z.ZodType<LookHere>

export const verificationSchema = z
  .enum(['without_evidence', 'attested', 'verified'])
  .describe(
    'settled by hand: on nothing, on a word alone, or also by a receipt or a look-up that says the same',
  )

export const byHandSchema = z.strictObject({ by: z.string(), at: timeSchema }).nullable()

export const approvalSchema = z.strictObject({
  approval_id: z.string(),
  operation_id: z.string(),
  digest: z.string().describe('over operation, tool, target, input, effect, repeat and policy'),
  approver: z.string(),
  reason: z.string(),
  granted_at: timeSchema,
  expires_at: timeSchema.nullable(),
  uses: z.int(),
  used: z.int(),
  state: z.enum(['usable', 'used_up', 'expired', 'revoked', 'for_something_else']),
  differences: z
    .array(z.strictObject({ path: z.string(), approved: z.json(), now: z.json() }))
    .describe('where the operation is not what was approved'),
}) satisfies z.ZodType<ApprovalItem>

export const noteSchema = z.strictObject({
  note_id: z.int(),
  kind: z.string(),
  operation_id: z.string().nullable(),
  body: z.json(),
  at: timeSchema,
  actor: z.string(),
}) satisfies z.ZodType<NoteItem>

export const pauseSchema = z.strictObject({
  status: z.enum(TASK_STATUSES),
  title: z.string(),
  resumes: z.string(),
  command: z.string().nullable(),
}) satisfies z.ZodType<PauseItem>
