import * as z from 'zod'

/** init@1: a ledger was made, or was there already. */
export const initDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/init@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    created: z.boolean().describe('false: there was a ledger already, and it was left as it is'),
    ledger_id: z.string(),
  })
  .meta({ title: 'init', description: 'The ledger that init made, or found.' })
