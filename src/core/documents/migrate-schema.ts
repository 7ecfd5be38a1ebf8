import * as z from 'zod'

/** migrate@1: a ledger that was moved or split, or could be. */
export const migrateDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/migrate@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    ledger_id: z.string(),
    from: z.string().describe('where it was'),
    to: z.string().describe('where it goes, without a password'),
    rows: z.int().min(0).describe('of all tables'),
    outcome: z
      .enum(['moved', 'would_move', 'split', 'would_split', 'was_there', 'taken_back'])
      .describe(
        '`split` where it is; `would_move`, `would_split` of a dry run; `was_there`: an earlier call finished it',
      ),
  })
  .meta({ title: 'migrate', description: 'A ledger that was moved to another place, or could be.' })
