import * as z from 'zod'
import { FAILURES, GRADES, MATCHED_BY, REMOTE_STATES, type Seen } from './observation.js'

const count = z.int().min(0)

const reading = {
  source: z.string(),
  grade: z.enum(GRADES),
  terms: z.strictObject({
    settle_ms: count,
    reads: z.int().min(2),
    spacing_ms: count,
    keeps_ms: count.nullable(),
  }),
  started: z.strictObject({ at: z.int(), boot_id: z.string(), boot_ms: z.number() }),
  observed_at: z.int(),
  scope: z.string().nullable(),
  request: z.record(z.string(), z.json()),
  response_digest: z.string().nullable(),
  seen_attempts: count,
  seen_version: count,
}

const answered = {
  matches: z.array(
    z.strictObject({
      external_id: z.strictObject({
        kind: z.string(),
        value: z.string(),
        url: z.string().exactOptional(),
        scope: z.string().exactOptional(),
      }),
      matched_by: z.enum(MATCHED_BY),
      digest: z.string().nullable(),
      differs: z.string().exactOptional(),
    }),
  ),
  parent: z.enum(['readable', 'unreadable', 'not_asked']),
  statements: z.array(
    z.strictObject({
      says: z.enum(['aborted', 'never_sent', 'refused']),
      attempts: z.union([z.literal('all'), z.array(z.int().min(1))]),
    }),
  ),
  remote: z
    .strictObject({
      state: z.enum(REMOTE_STATES),
      says: z.string(),
      artifact: z.string().exactOptional(),
      left_nothing: z.literal(true).exactOptional(),
    })
    .nullable(),
  disagreements: z.array(z.string()),
  result: z.json().exactOptional(),
}

/** An observation as evidence keeps it. What does not fit is not counted: another program may have written it. */
export const seenSchema = z.discriminatedUnion('completeness', [
  z.strictObject({ ...reading, ...answered, completeness: z.literal('complete') }),
  z.strictObject({ ...reading, ...answered, completeness: z.literal('partial'), why: z.string() }),
  z.strictObject({
    ...reading,
    completeness: z.literal('failed'),
    code: z.enum(FAILURES),
    why: z.string(),
    retry_after_ms: z.number().nullable(),
  }),
]) satisfies z.ZodType<Seen>
