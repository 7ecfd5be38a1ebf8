import * as z from 'zod'
import { externalIdOf } from '../core/external-id.js'
import { MATCHED_BY, type Observed, REMOTE_STATES } from '../core/observation.js'
import { parseForeignJson } from '../core/parse-json.js'

const text = z.string().min(1).max(2_000)

/** What a program or a module answers: docs/reconcile.md describes it for whoever writes one. */
export const programAnswerSchema = z.strictObject({
  completeness: z.enum(['complete', 'partial', 'failed']),
  why: text.exactOptional(),
  matches: z
    .array(
      z.strictObject({
        external_id: z.strictObject({
          kind: z.string(),
          value: z.string(),
          url: z.string().exactOptional(),
          scope: z.string().exactOptional(),
        }),
        matched_by: z.enum(MATCHED_BY),
        digest: z.string().max(500).nullable().default(null),
        differs: text.exactOptional(),
      }),
    )
    .max(1_000)
    .default([]),
  parent: z.enum(['readable', 'unreadable', 'not_asked']).default('not_asked'),
  statements: z
    .array(
      z.strictObject({
        says: z.enum(['aborted', 'never_sent', 'refused']),
        attempts: z.union([z.literal('all'), z.array(z.int().min(1)).min(1)]),
      }),
    )
    .max(100)
    .default([]),
  remote: z
    .strictObject({
      state: z.enum(REMOTE_STATES),
      says: text,
      artifact: text.exactOptional(),
      left_nothing: z.literal(true).exactOptional(),
    })
    .nullable()
    .default(null),
  disagreements: z.array(text).max(20).default([]),
  result: z.json().exactOptional(),
  scope: z.string().min(1).max(500).exactOptional(),
  retry_after_ms: z.int().min(0).exactOptional(),
})

/** Whatever a program said, as an observation. What does not fit the schema is no answer, and says so. */
export function observedIn(
  stdout: string,
  who: string,
): { readonly observed: Observed; readonly scope: string | null } {
  const answered = (observed: Observed, scope: string | null = null) => ({ observed, scope })
  const no = (why: string) =>
    answered({ completeness: 'failed', code: 'not_understood', why, retry_after_ms: null })
  if (stdout.trim() === '') return no(`${who} said nothing: an answer is one JSON object on its stdout`)
  const value = parseForeignJson(stdout)
  if (value === undefined) return no(`${who} said something that is no JSON`)
  const read = programAnswerSchema.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return no(
      `${who} answered what does not fit: ${issue?.path.join('.') || 'the answer'}: ${issue?.message}`,
    )
  }
  const { scope = null, why, retry_after_ms = null, completeness, matches, ...rest } = read.data
  const fit = matches.flatMap(({ external_id: { kind, value, ...about }, ...match }) => {
    const external_id = externalIdOf(kind, value, about)
    return external_id === null ? [] : [{ ...match, external_id }]
  })
  if (fit.length < matches.length) return no(`${who} named an external id that is none`)
  if (completeness === 'failed')
    return answered(
      { completeness, code: 'program_failed', why: why ?? `${who} could not tell`, retry_after_ms },
      scope,
    )
  const answer = { ...rest, matches: fit }
  return completeness === 'partial'
    ? answered({ ...answer, completeness, why: why ?? `${who} did not see everything` }, scope)
    : answered({ ...answer, completeness }, scope)
}
