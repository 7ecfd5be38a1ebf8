import { someText, valueAt } from '../field.js'
import type { ErrorFacts } from './facts.js'
import type { FailureRule } from './rule.js'

/**
 * What services say with a code of their own, whatever the status. Codes are names out of their documentation;
 * what they say in words is never looked at.
 */
export const CODE_RULES: readonly FailureRule[] = [
  byServiceCode(
    [
      'idempotency_key_in_use',
      'IDEMPOTENCY_CONCURRENT_REQUEST',
      'api.concurrent_idempotent_request',
      'TransactionInProgressException',
    ],
    {
      id: 'request_in_progress',
      title: 'refused: another request with the same key is in progress',
      reason: 'the other one is an earlier sending of this operation, and may take effect any moment',
      source: 'stripe/stripe-go#647; Shopify, Nylas, DynamoDB references',
      end: 'ambiguous',
      category: 'conflict',
    },
  ),
  byServiceCode(
    [
      'idempotency_error',
      'IdempotentParameterMismatch',
      'IdempotentParameterMismatchException',
      'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      'api.invalid_idempotent_request',
    ],
    {
      id: 'key_mismatch',
      title: 'refused: the service keeps another request under this key',
      reason: 'sending the same bytes again never gets this answer, so this request was not carried out',
      source: 'docs.stripe.com/error-low-level; EC2, DynamoDB, Shopify, Nylas references',
      end: 'not_applied',
      category: 'conflict',
    },
  ),
  byServiceCode(['EPUBLISHCONFLICT', 'already_exists', 'AlreadyExists'], {
    id: 'already_exists',
    title: 'the service has it already',
    reason:
      'it may be what this request, or an earlier sending of it, made: compare before anything is sent again',
    source: 'npm/cli#6103; GitHub REST API, "Validation failed"; Kubernetes API conventions',
    end: 'ambiguous',
    category: 'conflict',
  }),
]

function byServiceCode(
  codes: readonly string[],
  rule: Omit<FailureRule, 'matches' | 'signals' | 'answered'>,
): FailureRule {
  return {
    ...rule,
    answered: true,
    signals: codes,
    matches: facts => serviceCodes(facts).some(code => codes.includes(code)),
  }
}

/** Where services put their codes: Stripe, Google, GitHub, Shopify, Nylas, Kubernetes, AWS. */
const CODE_PLACES = [
  'code',
  'error',
  'type',
  'reason',
  'name',
  '__type',
  'error.code',
  'error.type',
  'errors.0.code',
  'errors.0.extensions.code',
]

function serviceCodes({ code, response }: ErrorFacts): string[] {
  // What an error body under a 2xx means only the service's own rules can say.
  if (response !== null && response.status < 400) return []
  const inBody = response === null ? [] : CODE_PLACES.map(place => someText(valueAt(response.body, place)))
  return [code, ...inBody].filter(one => one !== null)
}
