import * as z from 'zod'

const count = z.int().min(0)

/** archive@1: what an archive holds, and whether it fits together. */
export const archiveDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/archive@1'),
    ledger: z.null(),
    as_of: z.iso.datetime(),
    ok: z.boolean(),
    path: z.string(),
    ledger_id: z.string().describe('whose operations they are'),
    made_at: z.iso.datetime(),
    settled_before: z.iso.datetime(),
    operations: count,
    events: count,
    digest: z.string().describe("of the whole file; the ledger's own chain names it"),
    findings: z.array(z.string()).describe('what does not fit, with its line or operation'),
  })
  .meta({ title: 'archive', description: 'What an archive holds, and whether it fits together.' })
