import * as z from 'zod'

/** doctor@1: the environment of a ledger, check by check. */
export const doctorDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/doctor@1'),
    ledger: z.string().describe('empty when none is in use'),
    as_of: z.iso.datetime(),
    ok: z.boolean().describe('nothing failed; there may be warnings'),
    checks: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        status: z.enum(['ok', 'warn', 'fail']),
        says: z.string(),
        advice: z.string().nullable().describe('what to do about it'),
      }),
    ),
  })
  .meta({ title: 'doctor', description: 'Whether this machine and this file can hold a ledger safely.' })
