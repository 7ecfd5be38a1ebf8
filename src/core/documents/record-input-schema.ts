import * as z from 'zod'
import { ACTION_KINDS } from '../action.js'
import { idPlacesSchema, serviceRulesSchema } from '../classify/service-rule-schema.js'
import { parseIsoTime } from '../iso-time.js'
import { EFFECTS } from '../operation.js'
import { TASK_STATUSES } from '../task.js'

// What `agent-ledger record` reads: one object a verb, field names as in the schema of the ledger. A field that means
// nothing is refused, so that a misspelt one does not pass for an absent one.

const text = z.string()
const someText = z.string().min(1)
const id = someText.max(512)
const count = z.int().min(1)
const durationMs = z.int().min(1)

const time = z
  .union([z.int(), z.string()])
  .transform((given, context) => {
    const at = typeof given === 'number' ? given : parseIsoTime(given)
    if (at !== undefined) return at
    context.addIssue({
      code: 'custom',
      message: 'an ISO-8601 time with its offset, or milliseconds since 1970 UTC, is wanted',
    })
    return z.NEVER
  })
  .describe('ISO-8601 with its offset, or integer milliseconds since 1970 UTC')

const externalId = z.strictObject({
  kind: someText,
  value: z.union([someText, z.int()]).transform(String),
  url: text.exactOptional(),
  scope: text.exactOptional(),
})

const repeat = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('idempotency_key'),
    retention_ms: z.int().min(0).nullable(),
    scope: someText.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('idempotent') }),
  z.strictObject({ kind: z.literal('conditional'), names: z.enum(['permanent', 'reusable']) }),
  z.strictObject({ kind: z.literal('none') }),
])

const retry = z.strictObject({
  base_ms: z.int().min(0).exactOptional(),
  cap_ms: z.int().min(0).exactOptional(),
  max_elapsed_ms: z.int().min(0).exactOptional(),
  quota: z
    .strictObject({
      retries: z.int().min(1).max(1_000_000),
      per_ms: z.int().min(1),
      destination: someText.exactOptional(),
    })
    .exactOptional(),
})

const contract = z.strictObject({
  arrival_bound_ms: z.union([z.int().min(0), z.literal('unbounded')]).exactOptional(),
  settle_ms: z.int().min(0).exactOptional(),
  keeps_ms: z.int().min(0).exactOptional(),
  patience_ms: z.int().min(0).exactOptional(),
  classify: serviceRulesSchema.exactOptional(),
  ids: idPlacesSchema.exactOptional(),
  queues: z.literal(true).exactOptional(),
  approval: z.literal('required').exactOptional(),
  probe: z.record(text, z.json()).exactOptional(),
  compensate: z.record(text, z.json()).exactOptional(),
  retry: retry.exactOptional(),
  look_here: z.strictObject({ url: text.exactOptional(), check: text.exactOptional() }).exactOptional(),
  stall: z.record(text, z.int().min(0)).exactOptional(),
})

const checkpoint = z.strictObject({
  source: someText,
  uri: text.exactOptional(),
  thread_id: text.exactOptional(),
  namespace: text.exactOptional(),
  checkpoint_id: text.exactOptional(),
  node: text.exactOptional(),
  task_id: text.exactOptional(),
  step: z.int().exactOptional(),
})

const thread = z.strictObject({
  source: someText,
  uri: someText,
  thread_id: someText,
  namespace: text.exactOptional(),
})

const held = {
  operation_id: id,
  attempt: count.describe('as `send` answered'),
  fence: count.describe('as `send` answered'),
}

const failure = {
  ...held,
  reason: someText.describe('what the tool or the service said'),
  rule: someText.exactOptional().describe('a name for this cause, by which failures are grouped'),
  code: someText.exactOptional(),
  host: someText.exactOptional(),
}

const beat = {
  operation_id: id.exactOptional(),
  task_id: id.exactOptional(),
  attempt: count.exactOptional(),
  fence: count.exactOptional(),
}

const BEAT_RULE = 'either operation_id with attempt and fence, or task_id, is wanted'

function isOneSubject({
  operation_id,
  task_id,
  attempt,
  fence,
}: z.output<z.ZodObject<typeof beat>>): boolean {
  const isOperation = operation_id !== undefined && attempt !== undefined && fence !== undefined
  const isTask = task_id !== undefined && attempt === undefined && fence === undefined
  return isOperation ? task_id === undefined : isTask && operation_id === undefined
}

/** The verbs of `record`, each with the object it takes. */
export const RECORD_INPUT = {
  task: z.strictObject({
    task_id: id,
    parent_task_id: id.exactOptional(),
    goal: text.exactOptional(),
    agent: text.exactOptional(),
    thread: thread.exactOptional(),
    workspace: text.exactOptional(),
    links: z.array(text).exactOptional(),
    labels: z.record(text, text).exactOptional(),
    deadline_at: time.exactOptional(),
    budget: z.record(text, z.json()).exactOptional(),
    status: z.enum(TASK_STATUSES).exactOptional(),
    reason: text.exactOptional().describe('why it has this status'),
    epoch: z
      .int()
      .exactOptional()
      .describe('as an earlier answer gave it: refused when the task changed hands'),
  }),
  prepare: z.strictObject({
    operation_id: id,
    task_id: id,
    tool: someText,
    input: z.json(),
    phase: text.exactOptional(),
    step: text.exactOptional(),
    effect: z.enum(EFFECTS).exactOptional(),
    target: someText.exactOptional(),
    repeat: repeat.exactOptional(),
    contract: contract.exactOptional(),
    amount: z.number().exactOptional(),
    max_attempts: count.exactOptional(),
    deadline_at: time.exactOptional(),
    timeout_ms: durationMs.exactOptional(),
    idempotency_key: someText
      .exactOptional()
      .describe('a key of your own, stored once; left out: derived from the id'),
    again: someText
      .exactOptional()
      .describe('why it is wanted although the task has this tool and input under another id'),
    cleanup: z.boolean().exactOptional().describe('it cleans up after its task was cancelled'),
    compensates: id.exactOptional(),
    checkpoint: checkpoint.exactOptional(),
    links: z.array(text).exactOptional(),
  }),
  send: z.strictObject({
    operation_id: id,
    epoch: z.int().exactOptional().describe('as an earlier answer gave it; left out: claimed now'),
    lease_ms: z
      .int()
      .min(100)
      .max(86_400_000)
      .nullable()
      .exactOptional()
      .describe('null: this writer takes no lease'),
    pid: z
      .int()
      .min(1)
      .exactOptional()
      .describe('the process on this machine that sends: its end is noticed at once'),
  }),
  accept: z.strictObject({
    ...held,
    remote: externalId.describe('what the service calls the work it took in'),
    patience_ms: durationMs.exactOptional(),
  }),
  confirm: z.strictObject({
    ...held,
    result: z.json().exactOptional(),
    result_digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .nullable()
      .exactOptional(),
    external_ids: z.array(externalId).max(1_000).exactOptional(),
    receipt: z.json().exactOptional().describe('what was seen, for the evidence'),
  }),
  reject: z.strictObject({
    ...failure,
    retryable: z
      .boolean()
      .exactOptional()
      .describe('the refusal is of the moment: a retry is scheduled while the budget lasts'),
    retry_after_ms: z.int().min(0).exactOptional().describe('the service asks to wait at least so long'),
  }),
  lose: z.strictObject({ ...failure, external_ids: z.array(externalId).max(1_000).exactOptional() }),
  heartbeat: z
    .strictObject({ ...beat, lease_ms: z.int().min(100).max(86_400_000).exactOptional() })
    .refine(isOneSubject, BEAT_RULE),
  activity: z
    .strictObject({
      ...beat,
      kind: z.enum(ACTION_KINDS).exactOptional(),
      tool: someText.exactOptional().describe('what was called; reads as well as writes'),
      input: z.json().exactOptional(),
      result: z.json().exactOptional().describe('what came back; left out while nothing did'),
      outcome: z.enum(['ok', 'error']).exactOptional(),
      message: text.exactOptional().describe('what it said, where it called nothing'),
      cost: z.number().min(0).exactOptional().describe("in the unit of the task's budget"),
      wait_until: time.exactOptional().describe('it waits on purpose until then'),
    })
    .refine(isOneSubject, BEAT_RULE),
  progress: z
    .strictObject({ ...beat, progress: z.json().describe('the evidence: what was achieved') })
    .refine(isOneSubject, BEAT_RULE),
  note: z.strictObject({
    task_id: id,
    operation_id: id.exactOptional(),
    kind: z.enum(['finding', 'open', 'hypothesis', 'workspace', 'remark', 'summary']).exactOptional(),
    body: z.json().exactOptional().describe('with `kind`; else one of the members below says what it is'),
    finding: someText.exactOptional().describe('with `evidence`'),
    evidence: z.json().exactOptional(),
    open: someText.exactOptional().describe('what is left to do'),
    hypothesis: someText.exactOptional().describe('with `result`'),
    result: z.enum(['confirmed', 'excluded', 'undecided']).exactOptional(),
    workspace: someText.exactOptional().describe('where the work lies; `diff` says what was changed there'),
    diff: someText.exactOptional(),
    summary: someText.exactOptional().describe('written by a model, which `model` names'),
    model: someText.exactOptional(),
    remark: someText.exactOptional(),
  }),
  phase: z.strictObject({
    task_id: id,
    name: id,
    status: z
      .enum(['running', 'completed', 'failed'])
      .describe('running: begin it, unless it may be reused; completed, failed: end what was begun'),
    input: someText
      .exactOptional()
      .describe(
        'what it is made from: git:<folder>, file:<path>, folder:<path>, lockfile:<path> or any text',
      ),
    artifact: someText.exactOptional().describe('what it leaves, in the same words'),
    based_on: z.array(id).max(1_000).exactOptional().describe('phases it is built on'),
    result: z.json().exactOptional().describe('what it returns, for whoever reuses it'),
    evidence: z.json().exactOptional(),
    workspace: someText
      .exactOptional()
      .describe('where its paths begin; default: that of the task, else here'),
    follow: z.boolean().exactOptional().describe('look at paths outside the workspace too'),
  }),
  drain: z.strictObject({
    task_id: id,
    reason: someText.describe('why its run was told to stop at its next safe point'),
  }),
} as const

export type RecordInput = { readonly [V in keyof typeof RECORD_INPUT]: z.output<(typeof RECORD_INPUT)[V]> }
