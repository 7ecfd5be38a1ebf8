import * as z from 'zod'
import { ATTEMPT_ENDS } from '../attempt.js'
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS } from '../evidence.js'
import { EFFECTS, OPERATION_STATUSES } from '../operation.js'
import { TASK_STATUSES } from '../task.js'
import { EXPORT_SCHEMA } from './lines.js'

// What a line of an export may be, as it is read back: fields that a later version adds are passed over, and those that
// somebody who writes the shape by hand leaves out are null.

const id = z.string().min(1)
const text = z.string().nullable().default(null)
const at = z.int().nullable().default(null).describe('milliseconds since 1970 UTC')
const json = z.json()
const jsonOrNull = json.default(null)
const object = z.record(z.string(), json)

export const exportHead = z
  .object({
    schema: z.literal(EXPORT_SCHEMA),
    ledger_id: z.string(),
    exported_at: z.number().describe('milliseconds since 1970 UTC, as all times of an export'),
    program: z.string(),
    masked: z.boolean().describe('false: secrets stand in it as they were given'),
    task_id: z.string().nullable().describe('null: the whole ledger'),
  })
  .meta({ title: 'the first line' })

export const exportEnd = z
  .object({
    record: z.literal('end'),
    records: z.int().min(0).describe('lines between the first and this one'),
  })
  .meta({ title: 'the last line' })

const lastError = z.object({
  rule: z.string(),
  message: z.string(),
  at: z.number(),
  attempt: z.number().nullable(),
  code: z.string().optional(),
  host: z.string().optional(),
})

const end = z.enum(ATTEMPT_ENDS).nullable()

const attempt = z.object({
  n: z.int().min(1),
  owner: text,
  sent_at: at,
  ended_at: at,
  end,
  error: z.object({ message: z.string(), code: z.string().optional() }).nullable().default(null),
})

const ownAttempt = z.object({
  n: z.int().min(1),
  fence: z.number(),
  owner: z.string(),
  sent_at: z.number(),
  sent_boot_id: z.string(),
  sent_boot_ms: z.number(),
  send_by: z.number(),
  latest_arrival: at,
  ended_at: at,
  end,
  error: lastError.nullable(),
  heartbeat_at: at,
  activity_at: at,
  progress_at: at,
  progress: json.nullable(),
})

const evidence = z.object({
  n: z.int().min(1),
  kind: z.enum(EVIDENCE_KINDS),
  origin: z.enum(EVIDENCE_ORIGINS),
  attempt: z.number().nullable(),
  body: json,
  at: z.number(),
  actor: z.string(),
  hash: z.string(),
})

const externalId = z.object({
  kind: id,
  value: id,
  url: z.string().optional(),
  scope: z.string().optional(),
})

const repeat = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('idempotency_key'),
    retention_ms: z.number().nullable(),
    scope: z.string().optional(),
  }),
  z.object({ kind: z.literal('idempotent') }),
  z.object({ kind: z.literal('conditional'), names: z.enum(['permanent', 'reusable']) }),
  z.object({ kind: z.literal('none') }),
])

const own = z.object({
  ledger_id: z.string(),
  input_digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .describe('over the input as it was given, unmasked'),
  key_scope: z.string(),
  repeat: repeat.nullable(),
  contract: object,
  amount: z.number().nullable(),
  max_attempts: z.int().min(1),
  deadline_at: at,
  timeout_ms: z.number().nullable(),
  compensates: text,
  supersedes: text,
  links: z.array(z.string()),
  provenance: z.enum(['library', 'exec', 'record', 'imported']),
  flags: object,
  last_error: lastError.nullable(),
  settled_by: z.enum(['receipt', 'probe', 'person', 'imported']).nullable(),
  by_hand: z.object({ by: z.string(), at: z.number() }).nullable(),
  settled_at: at,
  result_digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
  cancel_requested_at: at,
  next_attempt_at: at,
  retry_reason: text,
  defer_until: at,
  next_look_at: at,
  activity_at: at,
  progress_at: at,
  version: z.int().min(1),
  attempts: z.array(ownAttempt),
  evidence: z.array(evidence),
})

const thread = z.object({
  source: z.string(),
  uri: z.string(),
  thread_id: z.string(),
  namespace: z.string().optional(),
})

const checkpoint = z.object({
  source: z.string(),
  uri: z.string().optional(),
  thread_id: z.string().optional(),
  namespace: z.string().optional(),
  checkpoint_id: z.string().optional(),
  node: z.string().optional(),
  task_id: z.string().optional(),
  step: z.int().optional(),
})

const task = z
  .object({
    record: z.literal('task'),
    task_id: id,
    parent_task_id: text,
    goal: text,
    status: z.enum(TASK_STATUSES),
    status_reason: text,
    agent: text,
    thread: thread.nullable().default(null),
    workspace: text,
    labels: z.record(z.string(), z.string()).default({}),
    deadline_at: at,
    heartbeat_at: at,
    activity_at: at,
    progress_at: at,
    created_at: at,
    closed_at: at,
    own: z.object({ links: z.array(z.string()), budget: object.nullable() }).optional(),
  })
  .meta({ title: 'a task' })

const operation = z
  .object({
    record: z.literal('operation'),
    operation_id: id,
    task_id: id,
    tool: id,
    phase: text,
    step: text,
    effect: z.enum(EFFECTS).nullable().default(null),
    target: text,
    input: jsonOrNull,
    foreign_digest: text,
    idempotency_key: text,
    status: z.enum(OPERATION_STATUSES),
    foreign_status: z.string().default(''),
    rule: z.string().default('jsonl.own_record'),
    why: z.string().default('The record says so in our own words.'),
    attempts: z.array(attempt).default([]),
    external_ids: z.array(externalId).default([]),
    result: jsonOrNull,
    heartbeat_at: at,
    progress: jsonOrNull,
    checkpoint: checkpoint.nullable().default(null),
    without_leases: z.boolean().default(true),
    lease_expires_at: at,
    compensates: id.optional(),
    created_at: at,
    updated_at: at,
    own: own.optional(),
  })
  .meta({ title: 'an operation' })

const note = z
  .object({
    record: z.literal('note'),
    task_id: id,
    operation_id: text,
    kind: z.enum(['finding', 'open', 'hypothesis', 'workspace', 'remark', 'summary']),
    body: json,
    at,
  })
  .meta({ title: 'a handoff note' })

const phase = z
  .object({
    record: z.literal('phase'),
    task_id: id,
    name: id,
    input_revision: text,
    status: z.string(),
    artifact: text,
    artifact_digest: text,
    at,
    own: z
      .object({
        input: text,
        based_on: z.array(z.object({ phase: z.string(), artifact_digest: text })).default([]),
        result: jsonOrNull,
        evidence: jsonOrNull,
      })
      .optional(),
  })
  .meta({ title: 'a phase' })

// What other systems yield beside it, and an export does not write.
const action = z
  .object({
    record: z.literal('action'),
    task_id: id,
    kind: z.enum(['tool', 'message', 'condensation', 'input']),
    tool: text,
    input: jsonOrNull,
    result: jsonOrNull,
    outcome: z.enum(['ok', 'error']).nullable().default(null),
    at,
  })
  .meta({ title: 'one thing an agent did' })

const warning = z
  .object({ record: z.literal('warning'), code: z.string(), message: z.string(), where: text })
  .meta({ title: 'something doubtful' })

/** One record in our own shape, whoever wrote it. */
export const ownRecord = z.discriminatedUnion('record', [task, operation, action, note, phase, warning])

/** One line of an export. */
export const exportLine = z
  .union([exportHead, z.discriminatedUnion('record', [task, operation, note, phase]), exportEnd])
  .meta({ title: 'export' })
