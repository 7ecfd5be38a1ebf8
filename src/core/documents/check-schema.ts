import * as z from 'zod'
import { type CheckDocument, CONDITIONS } from './check.js'
import { headed } from './head-schema.js'

const condition = z.enum(CONDITIONS.map(({ id }) => id))

const body = {
  ok: z.boolean(),
  failed_on: z.array(condition),
  counts: z.partialRecord(condition, z.int()).describe('of every condition asked for'),
  found: z.array(
    z.strictObject({
      condition,
      operation_id: z.string().nullable().describe('null for a task itself'),
      task_id: z.string(),
      reason: z.string(),
    }),
  ),
  left_out: z.int().describe('found, and not named'),
}

z.strictObject(body) satisfies z.ZodType<CheckDocument>

/** check@1: `agent-ledger check`. */
export const checkDocument = headed('check@1', body).meta({
  title: 'check',
  description: 'What the gate found.',
})
