import type { ServiceRule } from '../../core/classify/service-rule.js'
import { DAY, MINUTE, type Parameter, type ServiceContract } from './contract.js'

const COMMON = {
  api: { means: 'where the API is', default: 'https://api.stripe.com' },
  key: { means: 'environment variable with the secret key', default: 'STRIPE_API_KEY' },
  account: { means: 'the connected account that it was made for', default: '' },
  live: { means: 'false for a test mode or a sandbox', default: 'true' },
  metadata: { means: 'name of the metadata that holds the operation id', default: 'operation_id' },
} as const satisfies Record<string, Parameter>

const CLASSIFY: readonly ServiceRule[] = [
  {
    when: { body: { 'error.type': 'idempotency_error' } },
    end: 'ambiguous',
    reason: 'the key was used with other parameters: what came of that use has to be looked up',
  },
  {
    when: { status: 409 },
    end: 'ambiguous',
    reason: 'a request with the same key is being carried out: it may take effect',
  },
  {
    when: { status: 400, body: { 'error.type': 'invalid_request_error' } },
    end: 'not_applied',
    reason: 'Stripe refuses what it cannot carry out before it begins, and keeps no result under the key',
  },
]

const HEADERS = { authorization: 'Bearer {env.{with.key}}', 'stripe-account': '{with.account}' }

/** Made, and come to nothing: an object with our mark that is no payment. */
const CAME_TO_NOTHING = "(status=='failed' || status=='canceled' || status=='requires_payment_method')"

const MATCH = {
  operation_id: { path: `!${CAME_TO_NOTHING} && metadata.{with.metadata}` },
  digest: { path: 'metadata.{with.metadata}', equals: '{operation_id}' },
  // Alike and without any mark: perhaps ours, made by a program that sets none.
  attributes: {
    '!(metadata.{with.metadata}) && amount': '{input.amount}',
    '!(metadata.{with.metadata}) && currency': '{input.currency}',
  },
}

const ANSWERS = [
  'What is made has to carry metadata[operation_id]: lists show no key.',
  'A key of a test mode sees nothing of the live mode: which of the two is asked is read from the balance first. A restricted key needs leave to read the balance.',
  'An object with our mark that failed, was canceled or waits for another way to pay is a candidate: a person decides what it means.',
  'The search is never asked: it lags for a minute, in an outage for longer.',
]

export const stripeV1: ServiceContract = {
  title: 'an object of the Stripe API v1',
  version: 1,
  parameters: {
    object: { means: 'the collection: charges, payment_intents, refunds, customers' },
    ...COMMON,
  },
  effect: 'compensable',
  // Keys may be pruned once they are 24 hours old.
  repeat: { kind: 'idempotency_key', retention_ms: DAY, scope: '{with.account}' },
  arrival_ms: 15 * MINUTE,
  classify: CLASSIFY,
  ids: [
    { kind: 'stripe_object', path: 'id' },
    // A payment intent that was made, and then declined.
    { kind: 'stripe_object', path: 'error.payment_intent.id', in: 'error' },
  ],
  marker: 'metadata[operation_id], and the key as Idempotency-Key',
  look_here: {
    url: 'https://dashboard.stripe.com/search?query={operation_id}',
    check: `stripe {with.object} list --limit 100 --live | grep -B40 {operation_id}`,
  },
  probes: [
    {
      kind: 'http',
      grade: 'C',
      settle_ms: 5 * MINUTE,
      scope: '{with.account}',
      url: '{with.api}/v1/{with.object}?limit=100&created[gte]={since_unix}',
      parent: '{with.api}/v1/balance',
      readable: 'livemode == `{with.live}`',
      headers: HEADERS,
      items: 'data',
      next: { param: 'starting_after', value: 'has_more && data[-1].id' },
      match: MATCH,
      id: { kind: 'stripe_object', value: 'id' },
      result: '{id: id, status: status}',
    },
  ],
  answers: [
    ...ANSWERS,
    'The same key gives the saved answer of the first request, 500 included, while it is kept: after 24 hours it is a new request.',
    'Nothing is saved where the request was refused as invalid, met another in flight, or was limited with 429.',
  ],
  sources: [
    { url: 'https://docs.stripe.com/api/idempotent_requests', read: '2026-11' },
    { url: 'https://docs.stripe.com/error-low-level', read: '2026-11' },
    { url: 'https://docs.stripe.com/search', read: '2026-11' },
    { url: 'https://docs.stripe.com/api/pagination', read: null },
  ],
}

export const stripeV2: ServiceContract = {
  ...stripeV1,
  title: 'an object of the Stripe API v2',
  parameters: {
    object: { means: 'the path of the collection: core/accounts' },
    stripe_version: { means: 'the version that v2 requires: 2026-10-28.preview' },
    ...COMMON,
  },
  repeat: { kind: 'idempotency_key', retention_ms: 30 * DAY, scope: '{with.account}' },
  look_here: { url: 'https://dashboard.stripe.com/search?query={operation_id}' },
  probes: [
    {
      kind: 'http',
      grade: 'C',
      settle_ms: 5 * MINUTE,
      scope: '{with.account}',
      url: '{with.api}/v2/{with.object}?limit=100',
      parent: '{with.api}/v1/balance',
      readable: 'livemode == `{with.live}`',
      headers: {
        authorization: HEADERS.authorization,
        'stripe-context': '{with.account}',
        'stripe-version': '{with.stripe_version}',
      },
      items: 'data',
      next: 'next_page_url',
      match: MATCH,
      id: { kind: 'stripe_object', value: 'id' },
      result: '{id: id}',
    },
  ],
  answers: [
    ...ANSWERS,
    'A repeat is no replay: what succeeded is not done again, what failed in part is carried on, and the answer is of now. Keys are kept for 30 days, for POST and DELETE.',
  ],
  sources: [{ url: 'https://docs.stripe.com/api-v2-overview#idempotency', read: '2026-11' }],
}
