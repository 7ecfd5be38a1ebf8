import * as z from 'zod'

const standing = z.strictObject({ status: z.string(), version: z.int().min(1) })

const sending = z.strictObject({
  operation_id: z.string(),
  attempt: z.int().min(1),
  owner: z.string(),
  send_by: z.iso.datetime().describe('bytes of this attempt may leave until then'),
})

/** decision@1: a decision about one operation or task that was carried out. */
export const decisionDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/decision@1'),
    ledger: z.string(),
    as_of: z.iso.datetime(),
    decision: z
      .string()
      .describe(
        'approve, deny, revoke, allow_retry, compensate, reopen, abandon, cancel, withdraw, defer, note, claim, release, takeover, handback',
      ),
    operation_id: z.string().nullable(),
    task_id: z.string().nullable(),
    actor: z.string().describe('who decided, with where the name came from: git:ana@example.com'),
    before: standing.nullable(),
    after: standing.nullable(),
    moved: z
      .array(standing.extend({ operation_id: z.string() }))
      .describe('operations moved with their task'),
    still_sending: z.array(sending),
    approvals: z
      .array(
        z.strictObject({
          approval_id: z.string(),
          digest: z.string(),
          uses: z.int().min(1),
          used: z.int().min(0),
          expires_at: z.iso.datetime().nullable(),
        }),
      )
      .describe('given or taken back'),
    until: z.iso.datetime().nullable().describe('end of a claim or a deferral'),
    undo: z.string().nullable().describe('the command that takes it back; null where there is none'),
  })
  .meta({ title: 'decision', description: 'A decision that was carried out, and what it changed.' })
