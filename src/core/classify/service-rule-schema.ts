import * as z from 'zod'
import { GRPC_CODES } from './grpc-facts.js'
import { CALL_ENDS } from './rule.js'
import { type IdPlace, RULE_CONDITIONS, type ServiceRule } from './service-rule.js'

const text = z.string('a text is wanted').min(1, 'it is empty').max(1_000, 'at most 1000 characters')

function oneOrMore<T extends z.ZodType>(one: T, wanted: string) {
  return z.union([one, z.array(one).min(1, 'the list is empty').max(100)], wanted)
}

const status = z
  .int('a status from 100 to 599 is wanted')
  .min(100, 'a status from 100 to 599 is wanted')
  .max(599, 'a status from 100 to 599 is wanted')
const grpc = z.enum(GRPC_CODES, 'a gRPC status such as UNAVAILABLE is wanted')
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'a text, a number, true, false or null is wanted',
)

const when = z
  .strictObject({
    status: oneOrMore(status, 'a status, or a list of them, is wanted')
      .exactOptional()
      .describe('HTTP status of the answer'),
    code: oneOrMore(text, 'a code, or a list of them, is wanted')
      .exactOptional()
      .describe('code of the error, such as EPUBLISHCONFLICT'),
    grpc: oneOrMore(grpc, 'a gRPC status, or a list of them, is wanted')
      .exactOptional()
      .describe('name of the gRPC status'),
    header: z
      .record(text, z.string('a text is wanted; put it in quotes'), 'headers by name are wanted')
      .exactOptional()
      .describe('values of headers of the answer, or of gRPC metadata, by name'),
    body: z
      .record(text, scalar, 'values by path are wanted')
      .exactOptional()
      .describe('values in the body, or in what was returned, by path: error.code, errors.0.type'),
  })
  .refine(given => RULE_CONDITIONS.some(name => given[name] !== undefined), {
    message: `it names nothing to tell the answer by: give ${RULE_CONDITIONS.join(', ')}`,
  })

/** A service's own rule, as a person writes it and as it is kept. */
export const serviceRuleSchema = z.strictObject({
  when: when.describe('how the answer is known; all of it must hold'),
  end: z.enum(CALL_ENDS, `one of ${CALL_ENDS.join(', ')} is wanted`).describe('what the answer means'),
  reason: text.describe('why, and where the service says so; what a person reads'),
  retry: z
    .boolean('true or false is wanted')
    .exactOptional()
    .describe('with not_applied: the same request may be taken later'),
}) satisfies z.ZodType<ServiceRule>

export const idPlaceSchema = z.strictObject({
  kind: text.max(100, 'at most 100 characters').describe('what the id is of: ticket, charge'),
  json: text.describe('the path where it stands: id, data.issue.number'),
  url: text.exactOptional().describe('where the link for a person stands'),
  scope: text.max(500, 'at most 500 characters').exactOptional().describe('inside what it is unique'),
  in: z
    .enum(['result', 'error'], 'result or error is wanted')
    .exactOptional()
    .describe('where to look; an id found in an error is a receipt. Default: result'),
}) satisfies z.ZodType<IdPlace>

export const serviceRulesSchema = z
  .array(serviceRuleSchema, 'a list of rules is wanted')
  .max(100, 'at most 100 rules')
  .describe("what this service's answers mean where the common rules do not hold; the first that fits counts")

export const idPlacesSchema = z
  .array(idPlaceSchema, 'a list of places is wanted')
  .max(100, 'at most 100 places')
  .describe('where external ids stand in results and errors')
