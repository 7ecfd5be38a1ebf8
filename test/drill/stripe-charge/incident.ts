import type { Ledger } from '../../../src/ledger.js'
import { type FakeStripe, startStripe } from '../../probes/services/stripe.js'
import type { SetUp } from '../kit/incident.js'

const OURS = 'order-7/charge'
const KEY = 'sk_live_4f9a8b7c6d5e'

/** A charge at a service like Stripe, three days ago, among those of other orders; its answer was lost. */
export const setUp: SetUp = async stage => {
  stage.at('3d')
  const stripe = await startStripe({ now: stage.now, afterwards: stage.afterwards })
  stage.counts(() => ({
    charges: stripe.charges.filter(({ metadata }) => metadata.operation_id === OURS).length,
  }))
  stage.tools(
    `  charge:\n    service: stripe.v1\n    with: { object: charges, api: ${stripe.url}, key: STRIPE_API_KEY }\n    retry: { max_attempts: 1 }\n`,
  )
  stage.secret('STRIPE_API_KEY', KEY)
  for (const n of [1, 2, 3]) stripe.add({ amount: 4200, metadata: { operation_id: `order-${n}/charge` } })
  stripe.loseNextAnswer()
  await work(await stage.as('agent'), stripe)
  for (const n of [8, 9]) stripe.add({ amount: 4200, metadata: { operation_id: `order-${n}/charge` } })
  return async () => work(await stage.again(), stripe)
}

async function work(ledger: Ledger, { url }: FakeStripe): Promise<void> {
  const task = 'order-7'
  await ledger.task(task, { goal: 'Charge order 7', agent: 'shop-agent' })
  const input = { amount: 4200, currency: 'eur' }
  await ledger.run(
    { id: OURS, task, tool: 'charge', target: 'C-12', input },
    async ({ idempotencyKey, signal }) => {
      const form = { amount: '4200', currency: 'eur', 'metadata[operation_id]': OURS }
      const response = await fetch(`${url}/v1/charges`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': idempotencyKey },
        body: new URLSearchParams(form),
        signal,
      })
      return response.json()
    },
  )
}
