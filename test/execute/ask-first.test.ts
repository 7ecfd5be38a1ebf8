import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../src/ledger.js'
import { aServer, json } from '../probes/support/server.js'
import { aDirectory } from '../store/support/places.js'

async function aService(answer: () => unknown) {
  const { url, requests } = await aServer((request, response) => json(answer())(request, response))
  const path = join(aDirectory(), 'ledger.db')
  const config = join(dirname(path), 'agent-ledger.yaml')
  writeFileSync(
    config,
    `tools:
  create:
    repeat: { kind: idempotency_key, retention: 24h }
    retry: { base: 1ms }
    probe:
      kind: http
      grade: B
      url: ${url}/by-key/{idempotency_key}
      match: { key: key }
      id: { kind: ticket, value: id }
      result: '{ticket: id}'
      remote: { state: status, working: [working], completed: [done] }
`,
  )
  const ledger = await openLedger(path, { config, telemetry: false })
  onTestFinished(() => ledger.close())
  return { ledger, requests }
}

describe('what is in doubt and safe to repeat', () => {
  it('is asked about before it is sent again: what is there is not sent twice, and its result is handed on', async () => {
    let key = ''
    const { ledger, requests } = await aService(() => ({ id: 'T-1', key, status: 'done' }))
    let calls = 0
    const once = () =>
      ledger.run({ id: 'op-1', task: 't', tool: 'create', input: 1, waitForRetryMs: 0 }, context => {
        calls += 1
        key = context.idempotencyKey
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      })
    expect((await once()).status).not.toBe('confirmed')
    expect(requests).toEqual([])
    expect(await once()).toMatchObject({ status: 'confirmed', by: 'probe', result: { ticket: 'T-1' } })
    expect(calls).toBe(1)
  })

  it('is not sent again while the service still works on it', async () => {
    const { ledger, requests } = await aService(() => ({ status: 'working' }))
    let calls = 0
    const once = () =>
      ledger.run({ id: 'op-1', task: 't', tool: 'create', input: 1, waitForRetryMs: 0 }, () => {
        calls += 1
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      })
    await once()
    expect((await once()).status).not.toBe('confirmed')
    const asked = requests.length
    expect(asked).toBeGreaterThan(0)
    // Its next useful look is ahead: it is neither asked again nor sent.
    await once()
    expect([calls, requests.length]).toEqual([1, asked])
  })

  it('is asked about by a dispatcher too, and what is there is not sent twice', async () => {
    let key = ''
    const { ledger, requests } = await aService(() => ({ id: 'T-1', key, status: 'done' }))
    let calls = 0
    await ledger.run({ id: 'op-1', task: 't', tool: 'create', input: 1, waitForRetryMs: 0 }, context => {
      calls += 1
      key = context.idempotencyKey
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    })
    const create = () => {
      calls += 1
      return Promise.resolve({})
    }
    await expect
      .poll(async () => {
        await ledger.dispatch({ handlers: { create }, until: 'idle' })
        return requests.length
      })
      .toBeGreaterThan(0)
    expect(await ledger.run({ id: 'op-1', task: 't', tool: 'create', input: 1 }, create)).toMatchObject({
      status: 'confirmed',
      by: 'probe',
    })
    expect(calls).toBe(1)
  })

  it('costs a tool that is not in doubt no question', async () => {
    const { ledger, requests } = await aService(() => ({}))
    expect(await ledger.run({ id: 'op-1', task: 't', tool: 'create', input: 1 }, () => 1)).toMatchObject({
      status: 'confirmed',
    })
    expect(requests).toEqual([])
  })
})
