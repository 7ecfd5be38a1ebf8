import * as z from 'zod'

/** init@1: a ledger was made, or was there already. */
export const initDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/init@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    created: z.boolean().describe('false: there was a ledger already, and its rows were left as they are'),
    ledger_id: z.string(),
    roles: z
      .array(
        z.strictObject({
          role: z.string(),
          made: z.boolean().describe('false: the server had a role of that name before'),
        }),
      )
      .describe('what --roles lets use it; empty without it'),
  })
  .meta({ title: 'init', description: 'The ledger that init made, or found.' })
