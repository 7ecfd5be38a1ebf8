import * as z from 'zod'
import { checkpointDocumentSchema } from '../checkpoint-schema.js'
import { EFFECTS, OPERATION_STATUSES } from '../operation.js'
import { PHASE_STATES, PHASE_STATUSES } from '../phase.js'
import { TASK_STATUSES } from '../task.js'
import { headed } from './head-schema.js'
import {
  approvalSchema,
  byHandSchema,
  errorItemSchema,
  externalIdSchema,
  lookHereSchema,
  nextActionSchema,
  noteSchema,
  pauseSchema,
  riskSchema,
  stallItemSchema,
  timeSchema,
  verificationSchema,
} from './parts-schema.js'
import type { ReportDocument } from './report.js'

const time = timeSchema.nullable()
const settledBy = z.enum(['receipt', 'probe', 'person', 'imported']).nullable()

const task = z.strictObject({
  task_id: z.string(),
  status: z.enum(TASK_STATUSES),
  status_reason: z.string().nullable(),
  pause: pauseSchema.nullable().describe('why it does not run, and what lets it run again'),
  grace_until: time.describe('a supervisor gave notice: until then nothing but reads is newly sent'),
  is_finished: z
    .boolean()
    .describe('closed, nothing of it or below it is open, and its checkpoint leads nowhere'),
  agent: z.string().nullable(),
  parent_task_id: z.string().nullable(),
  taken_over_by: z.string().nullable(),
  taken_over_at: time,
  claimed_by: z.string().nullable(),
  thread: z
    .strictObject({
      source: z.string(),
      uri: z.string(),
      thread_id: z.string(),
      namespace: z.string().optional(),
    })
    .nullable(),
  workspace: z.string().nullable(),
  links: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  budget: z.record(z.string(), z.json()).nullable(),
  deadline_at: time,
  created_at: timeSchema,
  closed_at: time,
  last_sign_at: timeSchema,
})

const reported = {
  operation_id: z.string(),
  tool: z.string(),
  target: z.string().nullable(),
  phase: z.string().nullable(),
  step: z.string().nullable(),
  effect: z.enum(EFFECTS).nullable(),
  status: z.enum(OPERATION_STATUSES),
}

const confirmed = z.strictObject({
  ...reported,
  at: timeSchema,
  settled_by: settledBy,
  by_hand: byHandSchema,
  verification: verificationSchema.nullable(),
  external_ids: z.array(externalIdSchema),
  undone_by: z.string().nullable().describe('it took effect, and this operation undid it'),
  cancel_requested_at: time,
})

const unknown = z.strictObject({
  ...reported,
  risk: riskSchema,
  sent_at: time,
  attempts: z.int(),
  last_error: errorItemSchema.nullable(),
  cause: z.string().nullable(),
  external_ids: z.array(externalIdSchema),
  may_arrive_until: time.describe('null: no bound is known'),
  look_here: lookHereSchema.nullable(),
  next_action: nextActionSchema,
  cancel_requested_at: time,
  claimed_by: z.string().nullable(),
  version: z.int(),
})

const inFlight = z.strictObject({
  ...reported,
  sent_at: time,
  lease_expires_at: time.describe('null: its writer takes no leases'),
  next_action: nextActionSchema,
})

const notSent = z.strictObject({
  ...reported,
  waits_for: z.enum(['approval', 'retry', 'person', 'run']),
  next_attempt_at: time,
  last_error: errorItemSchema.nullable(),
  next_action: nextActionSchema,
})

const settledWithout = z.strictObject({
  ...reported,
  at: timeSchema,
  settled_by: settledBy,
  by_hand: byHandSchema,
  verification: verificationSchema.nullable(),
  last_error: errorItemSchema.nullable(),
})

const duplicate = z.strictObject({
  kind: z.enum(['same_write', 'several_objects']),
  operations: z.array(z.string()),
  external_ids: z.array(externalIdSchema),
  gap_ms: z.int().nullable(),
  timeout_ms: z.int().nullable(),
  keys_differ: z.boolean().nullable(),
  reason: z.string(),
})

const counts = z.strictObject({
  confirmed: z.int(),
  unknown: z.int(),
  in_flight: z.int(),
  not_sent: z.int(),
  not_executed: z.int(),
  abandoned: z.int(),
})

const phase = z.strictObject({
  phase: z.string(),
  recorded: z
    .strictObject({
      status: z.enum(PHASE_STATUSES),
      state: z.enum(PHASE_STATES).describe('held against what is in the workspace now'),
      why: z.array(z.string()),
      input: z.string().nullable(),
      input_revision: z.string().nullable(),
      artifact: z.string().nullable(),
      artifact_digest: z.string().nullable(),
      based_on: z.array(z.string()),
      at: timeSchema,
    })
    .nullable()
    .describe('null: operations name it, and nobody wrote it down as a phase'),
  counts,
  is_done: z.boolean(),
})

const child = z.strictObject({
  task_id: z.string(),
  goal: z.string().nullable(),
  status: z.enum(TASK_STATUSES),
  open: z.int(),
  in_doubt: z.int(),
  operations: z.array(z.strictObject({ ...reported, in_doubt: z.boolean() })),
})

const { threads } = checkpointDocumentSchema.shape

const body = {
  task,
  goal: z.string().nullable().describe('as whoever opened the task worded it: a record, not an instruction'),
  summary: z.string(),
  why_stopped: z.string().nullable().describe('null while it goes on'),
  confirmed: z.array(confirmed),
  unknown: z.array(unknown).describe('in doubt, riskiest first'),
  in_flight: z.array(inFlight),
  not_sent: z.array(notSent),
  not_executed: z.array(settledWithout),
  abandoned: z.array(settledWithout),
  stalled: z.array(stallItemSchema.extend({ operation_id: z.string().nullable() })),
  last_error: z
    .strictObject({
      operation_id: z.string(),
      message: z.string(),
      at: timeSchema,
      later_resolved: z.boolean(),
    })
    .nullable(),
  external_ids: z.array(externalIdSchema.extend({ operation_id: z.string() })),
  duplicates: z.array(duplicate),
  violations: z.array(z.strictObject({ rule: z.string(), operation_id: z.string(), reason: z.string() })),
  approvals: z.array(approvalSchema),
  compensations: z.array(
    z.strictObject({
      operation_id: z.string(),
      compensates: z.string(),
      status: z.enum(OPERATION_STATUSES),
      reason: z.string(),
    }),
  ),
  phases: z.array(phase),
  notes: z.array(noteSchema),
  children: z.array(child),
  checkpoint: z
    .strictObject({
      source: z.string(),
      language: z.string(),
      saver: z.string(),
      uri: z.string(),
      thread: threads.element,
    })
    .nullable(),
  replay_risk: threads.element.shape.replay_risk,
  next_steps: z.array(z.strictObject({ command: z.string().nullable(), why: z.string() })),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
}

z.strictObject(body) satisfies z.ZodType<ReportDocument>

/** report@1: `agent-ledger report --json`. */
export const reportDocument = headed('report@1', body).meta({
  title: 'report',
  description: 'The takeover report of one task.',
})
