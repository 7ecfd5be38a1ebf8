import * as z from 'zod'
import { OPERATION_STATUSES } from '../operation.js'
import { PLAN_SCHEMA, type PlanEnd, type PlanHead, type PlanItem } from './plan.js'

const someText = z.string().min(1)
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits are wanted')

/** What a person saw: their own words, or something that can be looked at again. */
export const evidenceSchema = z.union([
  someText,
  z.strictObject({ kind: z.literal('url'), url: someText }),
  z.strictObject({ kind: z.literal('ticket'), ticket: someText }),
  z.strictObject({ kind: z.literal('file'), path: someText, digest, bytes: z.int().min(0) }),
  z.strictObject({
    kind: z.literal('output'),
    from: someText,
    text: z.string(),
    digest,
    bytes: z.int().min(0),
  }),
])

const externalId = z.strictObject({
  kind: someText,
  value: someText,
  url: someText.optional(),
  scope: someText.optional(),
})

const reason = someText.describe('why, in the words of whoever decided')

const decision = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('resolve'),
    as: z.enum(['confirmed', 'not_executed']),
    evidence: z.array(evidenceSchema).min(1).optional(),
    reason,
    without_evidence: z.literal(true).optional(),
    external_ids: z.array(externalId).optional(),
    result: z.json().optional(),
    early: z.literal(true).optional(),
    other_target: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('allow_retry'),
    accept_duplicate: someText.optional().describe('the risk that is taken'),
    reason,
  }),
  ...(['reopen', 'abandon', 'cancel', 'deny', 'withdraw', 'acknowledge'] as const).map(type =>
    z.strictObject({ type: z.literal(type), reason }),
  ),
])

export const planHeadLine = z
  .strictObject({
    schema: z.literal(PLAN_SCHEMA),
    ledger_id: someText.describe('applied to no other ledger'),
    made_at: z.iso.datetime(),
    made_by: someText,
  })
  .meta({ title: 'head', description: 'The first line.' }) satisfies z.ZodType<PlanHead>

export const planItemLine = z
  .strictObject({
    decision_id: someText
      .max(200)
      .describe('names the decision for ever: carried out again, it changes nothing'),
    operation_id: someText,
    decision,
    seen: z.strictObject({
      status: z.enum(OPERATION_STATUSES),
      version: z.int().min(1),
      digest: digest.describe('over what the operation is and how it stood'),
    }),
    about: z.strictObject({ task_id: someText, tool: someText, target: z.string().nullable() }),
    digest: digest.describe('over the rest of this line, as RFC 8785 canonical JSON'),
  })
  .meta({ title: 'decision', description: 'One decision a line.' })

export const planEndLine = z
  .strictObject({
    decisions: z.int().min(0),
    digest: digest.describe('over the head and the digests of all decisions, in their order'),
  })
  .meta({ title: 'end', description: 'The last line.' }) satisfies z.ZodType<PlanEnd>

type Line = z.output<typeof planItemLine>
/** What the schema lets through is an item: its decision's fields are checked by kind. */
export function asPlanItem(line: Line): PlanItem {
  return line as PlanItem
}

/** plan@1: a line of a plan. */
export const planDocument = z.union([planHeadLine, planItemLine, planEndLine]).meta({
  title: 'plan',
  description: 'A line of the file that `agent-ledger plan` makes and `agent-ledger apply` carries out.',
})
