import * as z from 'zod'

/** redact@1: bodies that were blanked, or would be. */
export const redactDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/redact@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    operation_id: z.string(),
    outcome: z
      .enum(['redacted', 'would_redact', 'nothing_left'])
      .describe('`would_redact` of a dry run; `nothing_left`: all of it was blanked before'),
    parts: z.array(
      z.strictObject({
        part: z.enum(['input', 'result', 'event', 'evidence']),
        n: z.int().min(0).describe('the number of the event or evidence; 0 for input and result'),
        digest: z.string().describe('of what stood there; it stays'),
      }),
    ),
    reason: z.string(),
    by: z.string(),
  })
  .meta({ title: 'redact', description: 'Bodies of an operation that were blanked, or would be.' })
