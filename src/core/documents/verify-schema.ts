import * as z from 'zod'

const count = z.int().min(0)

/** verify@1: the integrity of a ledger. */
export const verifyDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/verify@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    ok: z.boolean(),
    ledger_id: z.string(),
    checked: z.strictObject({ operations: count, tasks: count, events: count, evidence: count }),
    findings: z.array(
      z.strictObject({
        rule: z.string().describe('the rule that found it'),
        title: z.string(),
        subject: z.enum(['file', 'ledger', 'operation', 'task', 'note', 'phase']),
        id: z.string(),
        n: z.int().nullable().describe('the number of the event or evidence concerned'),
        message: z.string(),
      }),
    ),
    phases: z
      .array(
        z.strictObject({
          task_id: z.string(),
          phase: z.string(),
          state: z.enum(['invalid', 'not_checked']),
          why: z.array(z.string()),
        }),
      )
      .describe('phases of open tasks whose input or artifact is not as it was: no fault of the ledger'),
    is_cut: z.boolean().describe('more was found than is listed'),
  })
  .meta({ title: 'verify', description: 'What does not fit together in a ledger.' })
