import * as z from 'zod'
import { OPERATION_STATUSES } from '../operation.js'
import { externalIdSchema, timeSchema } from './parts-schema.js'
import { RECONCILE_OUTCOMES } from './reconcile.js'

/** reconcile@1: what the outside system says of one operation. `reconcile` prints one a line. */
export const reconcileDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/reconcile@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    operation_id: z.string(),
    task_id: z.string(),
    tool: z.string(),
    outcome: z
      .enum(RECONCILE_OUTCOMES)
      .describe(
        'in_doubt: asked, and still nobody can tell; probe_failed: the service did not answer; not_asked: no probe, or none that may be used; not_yet: a look says nothing new before next_look_at; settled: there was no doubt; planned: a dry run',
      ),
    status: z.enum(OPERATION_STATUSES).describe('how the operation stands now'),
    version: z.int().min(1),
    rule: z.string().nullable().describe('the rule that decided, see docs/reconcile.md'),
    reason: z.string(),
    external_ids: z.array(externalIdSchema),
    duplicates: z.boolean().describe('more than one object is its own'),
    candidates: z
      .array(
        z.strictObject({
          external_id: externalIdSchema,
          matched_by: z.string(),
          digest: z.string().nullable(),
          differs: z.string().optional(),
        }),
      )
      .describe('objects that may be it: a person compares'),
    facts: z.array(z.string()).describe('facts that contradict each other'),
    waits_for: z.enum(['time', 'service', 'person']).nullable(),
    next_look_at: timeSchema.nullable(),
    requests: z.array(z.string()).describe('what was asked, or would be'),
  })
  .meta({ title: 'reconcile', description: 'What the outside system says of one operation.' })
