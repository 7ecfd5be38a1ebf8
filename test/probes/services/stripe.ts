import { type Answer, type Asked, bearer, type FakeOf, fakeOf, type ServiceClock } from './service.js'

export interface StripeObject {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  /** seconds since 1970 UTC */
  readonly created: number
  readonly livemode: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly account: string
}

export interface StripeOptions extends ServiceClock {
  readonly perPage?: number
  readonly lagMs?: number
  /** who ends it; else the test */
  readonly afterwards?: (work: () => void) => void
}

/** Stripe's API v1 and v2 as far as charges go: keys, lists by time, modes, connected accounts, restricted keys. */
export interface FakeStripe extends FakeOf {
  add(object: Partial<StripeObject>): StripeObject
  readonly charges: readonly StripeObject[]
}

const DAY_MS = 86_400_000

export async function startStripe(options: StripeOptions): Promise<FakeStripe> {
  const { now, perPage = 2, lagMs = 0, afterwards } = options
  const charges: StripeObject[] = []
  const keys = new Map<string, { readonly at: number; readonly form: string; readonly answer: Answer }>()
  const add: FakeStripe['add'] = over => {
    const object: StripeObject = {
      id: `ch_${charges.length + 1}`,
      amount: 500,
      currency: 'eur',
      status: 'succeeded',
      created: Math.floor(now() / 1_000),
      livemode: true,
      metadata: {},
      account: '',
      ...over,
    }
    // Newest first, as its lists are.
    charges.unshift(object)
    return object
  }
  return { ...(await fakeOf(answer, undefined, afterwards)), add, charges }

  function answer(asked: Asked): Answer {
    const key = bearer(asked) ?? ''
    if (!/^(?:sk|rk)_(?:live|test)_/.test(key)) return problem(401, 'invalid_request_error')
    const livemode = key.includes('_live_')
    const { pathname } = asked.url
    if (key.startsWith('rk_') && pathname === '/v1/balance') return problem(403, 'invalid_request_error')
    if (pathname === '/v1/balance') return { status: 200, body: { object: 'balance', livemode } }
    const account = String(asked.headers['stripe-account'] ?? asked.headers['stripe-context'] ?? '')
    const isSeen = (one: StripeObject) => one.livemode === livemode && one.account === account
    if (asked.method === 'POST') return create(asked, { livemode, account })
    if (pathname === '/v1/charges') return listV1(asked, isSeen)
    if (pathname === '/v2/core/charges') return listV2(asked, isSeen)
    return problem(404, 'invalid_request_error')
  }

  function create({ body, headers }: Asked, of: Pick<StripeObject, 'livemode' | 'account'>): Answer {
    const form = JSON.stringify(body)
    const key = String(headers['idempotency-key'] ?? '')
    const known = keys.get(key)
    if (known !== undefined && now() - known.at < DAY_MS)
      return known.form === form ? known.answer : problem(400, 'idempotency_error')
    const given = Object(body)
    if (!(Number(given.amount) > 0)) return problem(400, 'invalid_request_error')
    const metadata = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => {
        const [, one] = /^metadata\[(.+)\]$/.exec(name) ?? []
        return one === undefined ? [] : [[one, String(value)]]
      }),
    )
    const object = add({ amount: Number(given.amount), currency: String(given.currency), metadata, ...of })
    const made = { status: 200, body: object }
    if (key !== '') keys.set(key, { at: now(), form, answer: made })
    return made
  }

  function listed(isSeen: (one: StripeObject) => boolean, from: number): StripeObject[] {
    return charges.filter(one => isSeen(one) && one.created >= from && one.created * 1_000 + lagMs <= now())
  }

  function listV1({ url }: Asked, isSeen: (one: StripeObject) => boolean): Answer {
    const found = listed(isSeen, Number(url.searchParams.get('created[gte]') ?? '0'))
    const after = url.searchParams.get('starting_after')
    const from = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1
    const data = found.slice(from, from + perPage)
    return { status: 200, body: { object: 'list', data, has_more: from + perPage < found.length } }
  }

  function listV2({ url, headers }: Asked, isSeen: (one: StripeObject) => boolean): Answer {
    if (headers['stripe-version'] === undefined) return problem(400, 'invalid_request_error')
    const found = listed(isSeen, 0)
    const from = Number(url.searchParams.get('page') ?? '0')
    const next = from + perPage
    return {
      status: 200,
      body: {
        data: found.slice(from, next),
        next_page_url: next < found.length ? `/v2/core/charges?page=${next}` : null,
      },
    }
  }
}

function problem(status: number, type: string): Answer {
  return { status, body: { error: { type, message: type } } }
}
