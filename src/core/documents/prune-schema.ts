import * as z from 'zod'

const count = z.int().min(0)

/** prune@1: operations that went to an archive, or would. */
export const pruneDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/prune@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    outcome: z.enum(['pruned', 'would_prune', 'nothing']).describe('`would_prune` of a dry run'),
    settled_before: z.iso.datetime(),
    archive: z.string().nullable().describe('the file that holds their records'),
    archived: count.describe('operations in the archive, or that would be'),
    removed: z.strictObject({ operations: count, events: count }),
    removed_before: count.describe('by an earlier run with the same archive'),
    left: z
      .array(z.strictObject({ operation_id: z.string(), why: z.string() }))
      .describe('in the archive and still in the ledger: changed since, or kept by a rule by now'),
    kept: z
      .array(z.strictObject({ rule: z.string(), title: z.string(), operations: count }))
      .describe('what stays, by the first rule that keeps it'),
  })
  .meta({ title: 'prune', description: 'Operations that went from a ledger to an archive, or would.' })
