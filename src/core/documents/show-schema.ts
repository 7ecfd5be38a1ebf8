import * as z from 'zod'
import { ATTEMPT_ENDS } from '../attempt.js'
import { idPlacesSchema, serviceRulesSchema } from '../classify/service-rule-schema.js'
import { EVIDENCE_KINDS, EVIDENCE_ORIGINS } from '../evidence.js'
import { EFFECTS, OPERATION_STATUSES } from '../operation.js'
import { TASK_STATUSES } from '../task.js'
import { headed } from './head-schema.js'
import { eventSchema } from './log-schema.js'
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
} from './parts-schema.js'
import type { ShowDocument } from './show.js'

const time = timeSchema.nullable()
const object = z.record(z.string(), z.json())

const repeat = z.union([
  z.strictObject({
    kind: z.literal('idempotency_key'),
    retention_ms: z.int().nullable(),
    scope: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('idempotent') }),
  z.strictObject({ kind: z.literal('conditional'), names: z.enum(['permanent', 'reusable']) }),
  z.strictObject({ kind: z.literal('none') }),
])

const contract = z.looseObject({
  arrival_bound_ms: z.union([z.int(), z.literal('unbounded')]).optional(),
  settle_ms: z.int().optional(),
  keeps_ms: z.int().optional(),
  patience_ms: z.int().optional(),
  classify: serviceRulesSchema.optional(),
  ids: idPlacesSchema.optional(),
  queues: z.literal(true).optional(),
  approval: z.literal('required').optional(),
  probe: object.optional(),
  compensate: object.optional(),
  look_here: z.strictObject({ url: z.string().optional(), check: z.string().optional() }).optional(),
  stall: z.record(z.string(), z.number()).optional(),
})

const flag = z.literal(true).optional()
const flags = z.strictObject({
  duplicates: flag,
  contradicted: flag,
  reopened: flag,
  denied: flag,
  early: flag,
  without_evidence: flag,
  accepted_duplicate: z.string().optional(),
  duplicate_allowed: flag,
  target_differs: z.string().optional(),
  accepted_target: z.string().optional(),
  compensation_in_question: flag,
})

const intent = z.strictObject({
  phase: z.string().nullable(),
  step: z.string().nullable(),
  tool: z.string(),
  effect: z.enum(EFFECTS).nullable(),
  target: z.string().nullable(),
  amount: z.number().nullable(),
  input: z.json(),
  input_digest: z.string(),
  idempotency_key: z.string(),
  key_scope: z.string(),
  repeat: repeat.nullable(),
  contract,
  max_attempts: z.int(),
  deadline_at: time,
  timeout_ms: z.int().nullable(),
  compensates: z.string().nullable(),
  supersedes: z.string().nullable(),
  same_as: z.string().nullable(),
  provenance: z.enum(['library', 'exec', 'record', 'imported']),
  links: z.array(z.string()),
  checkpoint: object.nullable(),
})

const state = z.strictObject({
  created_at: timeSchema,
  updated_at: timeSchema,
  settled_at: time,
  settled_by: z.enum(['receipt', 'probe', 'person', 'imported']).nullable(),
  by_hand: byHandSchema,
  result: z.json(),
  last_error: errorItemSchema.nullable(),
  flags,
  lease: z.strictObject({ owner: z.string(), expires_at: time, owner_gone: z.boolean() }).nullable(),
  heartbeat_at: time,
  activity_at: time,
  progress_at: time,
  progress: z.json(),
  next_attempt_at: time,
  retry_reason: z.string().nullable(),
  cancel_requested_at: time,
  defer_until: time,
  next_look_at: time,
})

const attempt = z.strictObject({
  n: z.int(),
  owner: z.string(),
  sent_at: timeSchema,
  send_by: timeSchema,
  ended_at: time,
  end: z.enum(ATTEMPT_ENDS).nullable(),
  error: errorItemSchema.nullable(),
  heartbeat_at: time,
  activity_at: time,
  progress_at: time,
  progress: z.json(),
})

const evidence = z.strictObject({
  n: z.int(),
  kind: z.enum(EVIDENCE_KINDS),
  origin: z.enum(EVIDENCE_ORIGINS),
  attempt: z.int().nullable(),
  at: timeSchema,
  actor: z.string(),
  body: z.json(),
  hash: z.string(),
})

const action = z.strictObject({
  action: z.string(),
  title: z.string(),
  allowed: z.boolean(),
  command: z.string().nullable(),
  refusal: z.strictObject({ rule: z.string(), reason: z.string(), satisfy: z.string() }).nullable(),
  to: z.enum(OPERATION_STATUSES).nullable(),
  note: z.string().nullable(),
})

const body = {
  operation_id: z.string(),
  task: z.strictObject({
    task_id: z.string(),
    goal: z.string().nullable(),
    status: z.enum(TASK_STATUSES),
    pause: pauseSchema.nullable().describe('why it does not run, and what lets it run again'),
    taken_over_by: z.string().nullable(),
  }),
  status: z.enum(OPERATION_STATUSES),
  in_doubt: z.boolean(),
  may_have_applied: z.boolean(),
  stalled_by: z.array(stallItemSchema),
  risk: riskSchema,
  cause: z.string().nullable(),
  age_ms: z.int(),
  version: z.int(),
  next_action: nextActionSchema,
  code: z.string().describe('to type where a dangerous decision asks for it'),
  new_key_allowed: z.boolean().describe('may the same write be made under another idempotency key'),
  new_key_reason: z.string(),
  intent,
  state,
  attempts: z.array(attempt),
  overlap: z.string().nullable().describe('attempts that ran at the same time'),
  still_sending: z.array(z.strictObject({ attempt: z.int(), send_by: timeSchema })),
  may_arrive_until: time,
  evidence: z.array(evidence),
  verification: z
    .enum(['without_evidence', 'attested', 'verified'])
    .nullable()
    .describe('what stands behind a settlement by hand'),
  external_ids: z.array(externalIdSchema),
  approval_digest: z.string().nullable().describe('names what a person would approve'),
  approvals: z.array(approvalSchema),
  compensations: z.array(z.strictObject({ operation_id: z.string(), status: z.enum(OPERATION_STATUSES) })),
  undone_by: z.string().nullable(),
  notes: z.array(noteSchema),
  redactions: z
    .array(z.strictObject({ at: timeSchema, by: z.string(), reason: z.string(), parts: z.array(z.string()) }))
    .describe('what of it was blanked; digests of it stay'),
  history: z.array(eventSchema),
  look_here: lookHereSchema.nullable(),
  actions: z.array(action).describe('every decision: allowed, or why not'),
  claimed_by: z.strictObject({ by: z.string(), until: timeSchema }).nullable(),
}

z.strictObject(body) satisfies z.ZodType<ShowDocument>

/** show@1: `agent-ledger show`. */
export const showDocument = headed('show@1', body).meta({
  title: 'show',
  description: 'One operation, whole.',
})
