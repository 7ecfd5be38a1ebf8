import * as z from 'zod'
import { ERROR_RULES, type ErrorCode } from '../errors.js'

const codes = Object.keys(ERROR_RULES) as [ErrorCode, ...ErrorCode[]]

const count = z.int().min(0)

const kind = z.strictObject({
  added: count.describe('new here'),
  changed: count.describe('here already; their record moved it on, or told more of it'),
  unchanged: count.describe('here already, with nothing new'),
})

const input = z.strictObject({
  path: z.string(),
  source: z.string().nullable().describe('null where it could not be read'),
  why: z.string().nullable().describe('what it was known by, to put after the path'),
  outcome: z
    .enum(['done', 'nothing_new', 'would_be_done', 'not_done'])
    .describe('not_done: nothing of this input was stored'),
  records: count.describe('records read'),
  tasks: kind,
  operations: kind.extend({
    contradicted: count.describe('of the changed: their record says the opposite of how it was settled here'),
    kept_as_evidence: count.describe('of the changed: kept as evidence alone, for it was decided about here'),
    refused: count.describe('another operation stands under the id: nothing was taken'),
  }),
  phases: kind,
  notes: kind,
  actions: kind.describe('steps of the agent, for the rules that look for loops'),
  warnings: z.array(
    z.strictObject({
      code: z.string(),
      count: z.int().min(1),
      message: z.string().describe('of the first one'),
      where: z.array(z.string()).describe('the first places'),
    }),
  ),
  error: z
    .strictObject({ code: z.enum(codes), message: z.string(), hint: z.string(), exit_code: z.int() })
    .nullable(),
})

/** import@1: what became of each input. */
export const importDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/import@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    dry_run: z.boolean(),
    inputs: z.array(input),
  })
  .meta({ title: 'import', description: 'What became of the records of other systems.' })
