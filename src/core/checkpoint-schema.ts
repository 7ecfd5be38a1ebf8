import { z } from 'zod'
import {
  ADVISED_ACTIONS,
  CHECKPOINT_LANGUAGES,
  type CheckpointDocument,
  INTERRUPT_STATES,
  RUN_REASONS,
} from './checkpoint.js'

// A module of its own, so that reading a checkpoint does not load zod.

const willRun = z.strictObject({
  node: z.string(),
  task_id: z.string().nullable(),
  namespace: z.string().nullable(),
  reason: z.enum(RUN_REASONS),
  args: z.json().optional(),
})

const interrupt = z.strictObject({
  id: z.string().nullable(),
  node: z.string().nullable(),
  value: z.json(),
  state: z.enum(INTERRUPT_STATES),
})

const thread = z.strictObject({
  thread_id: z.string(),
  checkpoint_id: z.string().nullable(),
  step: z.int().nullable(),
  ts: z.string().nullable(),
  get_state_next: z.array(z.string()),
  will_run: z.array(willRun),
  enclosing: z.array(z.strictObject({ node: z.string(), namespace: z.string() })),
  saved: z.array(z.strictObject({ node: z.string().nullable(), task_id: z.string() })),
  interrupts: z.array(interrupt),
  errors: z.array(z.strictObject({ node: z.string().nullable(), task_id: z.string(), text: z.string() })),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  replay_risk: z.array(
    z.strictObject({
      operation_id: z.string(),
      node: z.string().nullable(),
      status: z.string(),
      why: z.string(),
    }),
  ),
  advice: z.strictObject({ action: z.enum(ADVISED_ACTIONS), reasons: z.array(z.string()) }),
})

/** `checkpoint@1` without its envelope (`schema`, `ledger`, `as_of`), which the command adds. */
export const checkpointDocumentSchema = z.strictObject({
  source: z.string(),
  language: z.enum(CHECKPOINT_LANGUAGES),
  saver: z.string(),
  threads: z.array(thread),
  left_out: z.int().min(0).describe('threads that are stored and were not read, because there are too many'),
}) satisfies z.ZodType<CheckpointDocument>
