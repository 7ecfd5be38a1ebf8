import * as z from 'zod'

/** trust@1: whether a configuration is trusted, and what that is bound to. */
export const trustDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/trust@1'),
    ledger: z.null(),
    as_of: z.iso.datetime(),
    path: z.string(),
    digest: z.string().describe('over the file and every file that it runs'),
    files: z.array(z.string()).describe('the files it runs'),
    runs: z.array(z.string()).describe('what its probes run, by tool'),
    hands_out: z
      .array(z.string())
      .describe('variables of the environment that its probes are given, by tool'),
    trusted: z.boolean(),
  })
  .meta({ title: 'trust', description: 'Whether a configuration may run programs and hand out variables.' })
