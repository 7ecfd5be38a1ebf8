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
    archived: z
      .strictObject({ operations: count, events: count })
      .describe('of these only ids, keys and hashes are in the ledger'),
    seals: z.strictObject({
      sealed: count.describe('events under the last seal'),
      sealed_at: z.iso.datetime().nullable(),
      anchors: count.nullable().describe('how many were given; null: none'),
      anchored: count.describe('events under the largest anchor that fits'),
      signatures_checked: z.boolean().describe('false: the file of anchors itself must be trusted'),
    }),
    redacted: z
      .array(
        z.strictObject({
          operation_id: z.string(),
          parts: z.array(z.string()),
          at: z.iso.datetime(),
          by: z.string(),
          reason: z.string(),
        }),
      )
      .describe('bodies that were blanked on record: no fault of the ledger'),
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
