import * as z from 'zod'
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS } from '../core/evidence.js'
import type { Receipt } from './spool.js'

const text = z.string().min(1).max(10_000)
const time = z.int()

const externalId = z.strictObject({
  kind: text,
  value: text,
  url: z.string().exactOptional(),
  scope: z.string().exactOptional(),
})

const error = z.strictObject({
  rule: text,
  message: text,
  at: time,
  attempt: z.int().nullable(),
  code: z.string().exactOptional(),
  host: z.string().exactOptional(),
})

const evidence = z.strictObject({
  kind: z.enum(EVIDENCE_KINDS),
  origin: z.enum(EVIDENCE_ORIGINS),
  attempt: z.int().nullable(),
  body: z.json(),
})

/** A file of the receipt spool. Whatever lies in that directory is read as somebody else's words. */
export const receiptSchema: z.ZodType<Receipt> = z
  .strictObject({
    v: z.literal(1),
    ledger_id: text,
    operation_id: text,
    owner: text,
    end: z.enum(['applied', 'not_applied', 'ambiguous']),
    external_ids: z.array(externalId).max(1_000),
    result: z.json(),
    result_digest: z.string().nullable(),
    error: error.nullable(),
    evidence: z.array(evidence).min(1).max(100),
    at: time,
  })
  .refine(
    ({ end, error: why }) => (end === 'applied') === (why === null),
    'a failure says why, a receipt does not',
  )
