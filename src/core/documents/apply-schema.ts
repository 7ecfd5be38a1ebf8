import * as z from 'zod'
import { ERROR_RULES, type ErrorCode } from '../errors.js'
import type { ApplyBody } from './apply.js'
import { headed } from './head-schema.js'

const codes = Object.keys(ERROR_RULES) as [ErrorCode, ...ErrorCode[]]
const standing = z.strictObject({ status: z.string(), version: z.int().min(1) })

const body = {
  decision_id: z.string().describe('names the decision for ever'),
  operation_id: z.string(),
  decision: z.string().describe('resolve confirmed, resolve not_executed, allow_retry, abandon, …'),
  outcome: z
    .enum(['done', 'already', 'would_be_done', 'not_done'])
    .describe('already: carried out before; would_be_done: a dry run'),
  seen: standing.describe('how it stood when the plan was made'),
  now: standing.nullable().describe('how the operation stands now, or would'),
  changed: z
    .strictObject({
      what: z.string(),
      by: z.string().nullable(),
      at: z.string().nullable(),
      because: z.string().nullable(),
    })
    .nullable()
    .describe('what happened since the plan was made'),
  undo: z.string().nullable().describe('the command that takes it back'),
  error: z
    .strictObject({
      code: z.enum(codes),
      message: z.string(),
      rule: z.string().nullable().describe('the safety rule that refused'),
      hint: z.string(),
      exit_code: z.int(),
    })
    .nullable(),
}

z.strictObject(body) satisfies z.ZodType<ApplyBody>

/** apply@1: what became of one decision of a plan. */
export const applyDocument = headed('apply@1', body).meta({
  title: 'apply',
  description: 'What became of one decision of a plan.',
})
