import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../../src/ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { startGithub } from '../services/github.js'
import { startRegistry } from '../services/npm-registry.js'
import { startStripe } from '../services/stripe.js'

const now = () => Date.now()

/** A ledger as an application opens it, beside a configuration that names the service. */
async function aShop(service: string, given: Record<string, string>, env: Record<string, string>) {
  const path = join(aDirectory(), 'ledger.db')
  const config = join(dirname(path), 'agent-ledger.yaml')
  writeFileSync(config, `tools:\n  write:\n    service: ${service}\n    with: ${JSON.stringify(given)}\n`)
  const before = Object.keys(env).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  const ledger = await openLedger(path, { config, telemetry: false })
  onTestFinished(async () => {
    await ledger.close()
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  return ledger
}

async function reconciled(ledger: Ledger, id: string) {
  for await (const body of ledger.reconcile(id)) return body
  throw new Error('reconcile said nothing')
}

async function posted(url: string, init: RequestInit & { readonly method: string }): Promise<unknown> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status })
  return answer.json()
}

describe('a write whose answer was lost', () => {
  it('at GitHub is unknown, and confirmed with its issue by reconcile; it was made once', async () => {
    const fake = await startGithub({ now })
    const ledger = await aShop('github.issues', { api: fake.url }, { GITHUB_TOKEN: 'tok_writer' })
    const input = { repo: 'acme/shop', title: 'Disk full' }
    const write = () =>
      ledger.run({ id: 'op-1', task: 't', tool: 'write', input }, () =>
        posted(`${fake.url}/repos/acme/shop/issues`, {
          method: 'POST',
          headers: { authorization: 'Bearer tok_writer', 'content-type': 'application/json' },
          body: JSON.stringify({ title: input.title, body: '<!-- agent-ledger:op-1 -->' }),
        }),
      )
    fake.loseNextAnswer()
    expect((await write()).status).toBe('unknown')
    expect(fake.all('issues')).toHaveLength(1)
    expect(await reconciled(ledger, 'op-1')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'github_issue', value: 'https://github.com/acme/shop/issues/1' }],
    })
    // The run that goes on gets the result, and sends nothing.
    expect(await write()).toMatchObject({ status: 'confirmed', result: { number: 1 } })
    expect(fake.all('issues')).toHaveLength(1)
  })

  it('at GitHub that was answered keeps the same id that the probe would have found', async () => {
    const fake = await startGithub({ now })
    const ledger = await aShop('github.issues', { api: fake.url }, { GITHUB_TOKEN: 'tok_writer' })
    const outcome = await ledger.run(
      { id: 'op-1', task: 't', tool: 'write', input: { repo: 'acme/shop' } },
      () =>
        posted(`${fake.url}/repos/acme/shop/issues`, {
          method: 'POST',
          headers: { authorization: 'Bearer tok_writer' },
          body: '{}',
        }),
    )
    expect(outcome).toMatchObject({
      status: 'confirmed',
      external_ids: [{ kind: 'github_issue', value: 'https://github.com/acme/shop/issues/1' }],
    })
  })

  it('at Stripe is asked about before it is sent again, and charged once', async () => {
    const fake = await startStripe({ now })
    const ledger = await aShop(
      'stripe.v1',
      { object: 'charges', api: fake.url },
      { STRIPE_API_KEY: 'sk_live_1' },
    )
    let sent = 0
    const write = () =>
      ledger.run(
        { id: 'op-1', task: 't', tool: 'write', input: { amount: 500, currency: 'eur' }, waitForRetryMs: 0 },
        ({ idempotencyKey }) => {
          sent += 1
          return posted(`${fake.url}/v1/charges`, {
            method: 'POST',
            headers: { authorization: 'Bearer sk_live_1', 'idempotency-key': idempotencyKey },
            body: new URLSearchParams({ amount: '500', currency: 'eur', 'metadata[operation_id]': 'op-1' }),
          })
        },
      )
    fake.loseNextAnswer()
    expect((await write()).status).not.toBe('confirmed')
    expect(await reconciled(ledger, 'op-1')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'stripe_object', value: 'ch_1' }],
    })
    expect(await write()).toMatchObject({ status: 'confirmed', result: { id: 'ch_1', status: 'succeeded' } })
    expect({ sent, charges: fake.charges.length }).toEqual({ sent: 1, charges: 1 })
  })

  it('at Stripe whose key met other parameters is in doubt, not refused', async () => {
    const fake = await startStripe({ now })
    const ledger = await aShop(
      'stripe.v1',
      { object: 'charges', api: fake.url },
      { STRIPE_API_KEY: 'sk_live_1' },
    )
    const refused = (type: string) =>
      ledger.run({ id: `op-${type}`, task: 't', tool: 'write', input: type, waitForRetryMs: 0 }, () => {
        throw Object.assign(new Error('no'), {
          response: { status: 400, data: { error: { type } }, headers: {} },
        })
      })
    expect((await refused('idempotency_error')).status).not.toBe('not_executed')
    expect((await refused('invalid_request_error')).status).toBe('not_executed')
  })

  it('at npm is unknown after a 403 too, and confirmed by the integrity', async () => {
    const fake = await startRegistry({ now })
    const ledger = await aShop('npm.publish', { registry: fake.url }, {})
    const input = { name: 'lib-y', version: '2.7.8', integrity: 'sha512-AAA' }
    const write = () =>
      ledger.run({ id: 'op-21', task: 't', tool: 'write', input, waitForRetryMs: 0 }, () =>
        posted(`${fake.url}/lib-y`, { method: 'PUT', body: JSON.stringify(input) }),
      )
    fake.publish('lib-y', '2.7.8', 'sha512-AAA')
    expect((await write()).status).not.toBe('not_executed')
    expect(await reconciled(ledger, 'op-21')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'npm', value: 'lib-y@2.7.8' }],
    })
  })
})
