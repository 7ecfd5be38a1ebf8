import * as z from 'zod'

const count = z.int().min(0)

/** backup@1: the copy that was made. */
export const backupDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/backup@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    output: z.string().describe('where the copy is'),
    ledger_id: z.string(),
    checked: z
      .strictObject({ operations: count, tasks: count, events: count, evidence: count })
      .describe('recomputed in the copy before it was put in place'),
  })
  .meta({ title: 'backup', description: 'A copy of a ledger, checked whole.' })
