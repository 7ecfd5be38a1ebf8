import * as z from 'zod'
import { ERROR_RULES, type ErrorCode } from '../errors.js'
import { OPERATION_STATUSES } from '../operation.js'
import { TASK_STATUSES } from '../task.js'
import { externalIdSchema, nextActionSchema, timeSchema } from './parts-schema.js'
import type { RecordReply } from './record.js'

const codes = Object.keys(ERROR_RULES) as [ErrorCode, ...ErrorCode[]]

const error = z.strictObject({
  code: z.enum(codes),
  message: z.string(),
  path: z.string().optional().describe('the field concerned'),
  rule: z.string().optional().describe('the safety rule that refused'),
  facts: z.record(z.string(), z.unknown()).optional(),
  hint: z.string().describe('what to do next'),
  exit_code: z.int(),
})

const previous = z.strictObject({
  attempts: z.array(
    z.strictObject({
      n: z.int(),
      sent_at: timeSchema,
      ended_at: timeSchema.nullable(),
      end: z.string().nullable(),
      error: z.string().nullable(),
    }),
  ),
  progress: z.json(),
  external_ids: z.array(externalIdSchema),
})

/** record@1: what `agent-ledger record` answers, one object a verb. It names no schema: programs asked for it. */
export const recordDocument = z
  .strictObject({
    ok: z.boolean().describe('what was asked for is so now'),
    operation_id: z.string().optional(),
    task_id: z.string().optional(),
    status: z.enum([...OPERATION_STATUSES, ...TASK_STATUSES]).optional(),
    version: z.int().optional(),
    next_action: nextActionSchema.optional(),
    late: z.boolean().optional().describe('the attempt no longer held it: what it told is kept as evidence'),
    error: error.optional(),
    attempt: z.int().optional(),
    fence: z.int().optional(),
    idempotency_key: z.string().optional(),
    previous: previous.optional().describe('what earlier attempts left'),
    send_by: timeSchema.optional().describe('after this moment nothing of it may leave any more'),
    lease_expires_at: timeSchema.nullable().optional(),
    epoch: z.int().optional(),
    result: z.json().optional(),
    external_ids: z.array(externalIdSchema).optional(),
    cancel_requested: z.boolean().optional(),
    note_id: z.string().optional(),
    phase: z.string().optional(),
    reused: z.boolean().optional(),
    why: z.array(z.string()).optional(),
    artifact_digest: z.string().nullable().optional(),
  })
  .meta({
    title: 'record',
    description: 'The answer to one verb of record.',
  }) satisfies z.ZodType<RecordReply>
