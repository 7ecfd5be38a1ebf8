import { z } from 'zod'
import { ATTEMPT_ENDS } from '../../core/attempt.js'
import type { ImportedRecord } from '../../core/imported.js'
import type { JsonValue } from '../../core/json.js'
import { EFFECTS, OPERATION_STATUSES } from '../../core/operation.js'
import { TASK_STATUSES } from '../../core/task.js'

// A module of its own: only a file in our own shape needs it, and validators cost start-up time.

const text = z.string()
const id = z.string().min(1)
const textOrNull = z.string().nullable().default(null)
const time = z.number().int().nullable().default(null)
// it was parsed as JSON already
const json = z.custom<JsonValue>(value => value !== undefined)
const jsonOrNull = json.nullable().default(null)

const task = z.object({
  record: z.literal('task'),
  task_id: id,
  parent_task_id: textOrNull,
  goal: textOrNull,
  status: z.enum(TASK_STATUSES),
  status_reason: textOrNull,
  agent: textOrNull,
  thread: z
    .object({ source: text, uri: text, thread_id: text, namespace: text.optional() })
    .nullable()
    .default(null),
  workspace: textOrNull,
  labels: z.record(text, text).default({}),
  deadline_at: time,
  heartbeat_at: time,
  activity_at: time,
  progress_at: time,
  created_at: time,
  closed_at: time,
})

// An end before its beginning is a clock that was set: the end is left out.
const attempt = z
  .object({
    n: z.number().int().min(1),
    owner: textOrNull,
    sent_at: time,
    ended_at: time,
    end: z.enum(ATTEMPT_ENDS).nullable(),
    error: z.object({ message: text, code: text.optional() }).nullable().default(null),
  })
  .transform(one => {
    const { sent_at, ended_at } = one
    return sent_at !== null && ended_at !== null && ended_at < sent_at ? { ...one, ended_at: null } : one
  })

const externalId = z.object({ kind: id, value: id, url: text.optional(), scope: text.optional() })

const checkpoint = z.object({
  source: text,
  uri: text.optional(),
  thread_id: text.optional(),
  namespace: text.optional(),
  checkpoint_id: text.optional(),
  node: text.optional(),
  task_id: text.optional(),
  step: z.number().int().optional(),
})

const operation = z.object({
  record: z.literal('operation'),
  operation_id: id,
  task_id: id,
  tool: id,
  phase: textOrNull,
  step: textOrNull,
  effect: z.enum(EFFECTS).nullable().default(null),
  target: textOrNull,
  input: jsonOrNull,
  foreign_digest: textOrNull,
  idempotency_key: textOrNull,
  status: z.enum(OPERATION_STATUSES),
  foreign_status: text.default(''),
  rule: text.default('jsonl.own_record'),
  why: text.default('The record says so in our own words.'),
  attempts: z.array(attempt).default([]),
  external_ids: z.array(externalId).default([]),
  result: jsonOrNull,
  heartbeat_at: time,
  progress: jsonOrNull,
  checkpoint: checkpoint.nullable().default(null),
  without_leases: z.boolean().default(true),
  created_at: time,
  updated_at: time,
})

const action = z.object({
  record: z.literal('action'),
  task_id: id,
  kind: z.enum(['tool', 'message', 'condensation', 'input']),
  tool: textOrNull,
  input: jsonOrNull,
  result: jsonOrNull,
  outcome: z.enum(['ok', 'error']).nullable().default(null),
  at: time,
})

const note = z.object({
  record: z.literal('note'),
  task_id: id,
  operation_id: textOrNull,
  kind: z.enum(['finding', 'open', 'hypothesis', 'workspace', 'remark', 'summary']),
  body: json,
  at: time,
})

const phase = z.object({
  record: z.literal('phase'),
  task_id: id,
  name: id,
  input_revision: textOrNull,
  status: text,
  artifact: textOrNull,
  artifact_digest: textOrNull,
  at: time,
  own: z
    .object({
      input: textOrNull,
      based_on: z.array(z.object({ phase: text, artifact_digest: textOrNull })).default([]),
      result: jsonOrNull,
      evidence: jsonOrNull,
    })
    .optional(),
})

const warning = z.object({
  record: z.literal('warning'),
  code: text,
  message: text,
  where: textOrNull,
})

/** One line in our own shape (docs/sources/jsonl.md). Fields that are left out are null; others are dropped. */
const ownRecordSchema = z.discriminatedUnion('record', [task, operation, action, note, phase, warning])

export type OwnRecordRead =
  | { readonly record: ImportedRecord; readonly problem?: undefined }
  | { readonly problem: string }

/** The record, or which field is wrong and why. */
export function readOwnRecord(value: JsonValue): OwnRecordRead {
  const { success, data, error } = ownRecordSchema.safeParse(value)
  if (success) return { record: data }
  const [issue] = error.issues
  return { problem: `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'does not fit'}` }
}
