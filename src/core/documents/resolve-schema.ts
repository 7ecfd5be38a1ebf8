import * as z from 'zod'
import { ERROR_RULES, type ErrorCode } from '../errors.js'

const codes = Object.keys(ERROR_RULES) as [ErrorCode, ...ErrorCode[]]

/** resolve@1: a decision to settle an operation. `resolve --file` prints one a line. */
export const resolveDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/resolve@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    decision_id: z.string().nullable().describe('names the decision for ever; null for a single one without'),
    operation_id: z.string(),
    as: z.enum(['confirmed', 'not_executed']),
    outcome: z
      .enum(['done', 'already', 'would_be_done', 'not_done'])
      .describe('already: carried out before; would_be_done: a dry run'),
    status: z.string().nullable().describe('how the operation stands now, or would'),
    version: z.int().min(1).nullable(),
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
  })
  .meta({ title: 'resolve', description: 'What became of a decision to settle an operation.' })
