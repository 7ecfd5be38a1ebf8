import * as z from 'zod'
import { EXPORT_SCHEMA } from './lines.js'

// What the lines of an archive must be to be verified; all else of them is an export's.

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)

export const archiveHead = z.object({
  schema: z.literal(EXPORT_SCHEMA),
  ledger_id: z.string(),
  exported_at: z.number(),
  archive: z.object({ settled_before: z.number() }),
})

export const archiveEnd = z.object({
  record: z.literal('end'),
  records: z.int().min(0),
  archive: z.object({ operations: z.int().min(0), events: z.int().min(0), digest }),
})

const link = z.object({
  n: z.int().min(1),
  type: z.string(),
  at: z.number(),
  actor: z.string(),
  event: z
    .object({
      about: z.string().nullable(),
      decision_id: z.string().nullable(),
      boot_id: z.string(),
      boot_ms: z.number(),
    })
    .optional(),
  body: z.string(),
  hash: hex,
})

const redaction = z.object({
  at: z.number(),
  actor: z.string(),
  reason: z.string(),
  parts: z.array(
    z.object({ part: z.enum(['input', 'result', 'event', 'evidence']), n: z.int(), digest, left: digest }),
  ),
})

export const archivedOperation = z.object({
  record: z.literal('operation'),
  operation_id: z.string().min(1),
  task_id: z.string().min(1),
  status: z.string(),
  own: z.object({ version: z.int() }),
  archive: z.object({
    events: z.array(link).min(1),
    evidence: z.array(link),
    redactions: z.array(redaction),
  }),
})

export const archivedTask = z.object({ record: z.literal('task') })
