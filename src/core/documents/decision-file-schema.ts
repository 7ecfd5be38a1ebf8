import * as z from 'zod'

const someText = z.string('a text is wanted').trim().min(1, 'it is empty')

const externalId = z.strictObject({
  kind: someText,
  value: someText,
  url: someText.optional(),
  scope: someText.optional(),
})

/** One decision of `resolve --file`. What is left out is taken from the command line. */
export const decisionEntry = z
  .strictObject(
    {
      decision_id: someText.max(200, 'at most 200 characters').optional().meta({
        description: 'names the decision for ever; made from its content when left out',
      }),
      operation_id: someText,
      as: z
        .enum(['confirmed', 'not_executed', 'not-executed'], 'confirmed or not_executed is wanted')
        .transform(as => (as === 'confirmed' ? as : 'not_executed'))
        .optional(),
      evidence: z
        .union([someText, z.array(someText).min(1, 'it is empty')], 'a text or a list of texts is wanted')
        .optional(),
      reason: someText.optional(),
      result: z.json().optional().meta({ description: 'the value a resumed run goes on with' }),
      external_ids: z.array(externalId, 'a list of {kind, value} is wanted').optional(),
      expect_version: z.int('a whole number is wanted').min(1, 'versions count from 1').optional(),
      early: z.boolean('true or false is wanted').optional(),
      other_target: z.boolean('true or false is wanted').optional(),
      without_evidence: z.boolean('true or false is wanted').optional(),
    },
    { error: issue => (issue.code === 'invalid_type' ? 'a decision is a group of keys' : undefined) },
  )
  .meta({ title: 'decision', description: 'One decision of `resolve --file`.' })

/** The whole of a YAML or JSON file: a list, or a list under `decisions`. */
export const decisionList = z.array(decisionEntry, 'a list of decisions is wanted')
export const decisionGroup = z.strictObject({ decisions: decisionList })

/** Both forms, for the JSON Schema. */
export const decisionFile = z
  .union([decisionList, decisionGroup])
  .meta({ title: 'decisions', description: 'The file that `resolve --file` carries out.' })

export type DecisionEntry = z.output<typeof decisionEntry>
