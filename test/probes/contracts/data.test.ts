import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from '../../../src/config/json-schema.js'
import { parseConfig } from '../../../src/config/load.js'
import type { SingleProbe } from '../../../src/core/probe.js'
import { SERVICE_CONTRACTS, serviceContract } from '../../../src/probes/contracts/index.js'
import { planProbe, termsOf } from '../../../src/probes/index.js'
import { aWorld, someFacts } from '../support/asking.js'
import { given } from './given.js'

const NAMES = Object.keys(SERVICE_CONTRACTS)

const yamlOf = (service: string, over: Record<string, string> = {}) =>
  `tools:\n  write:\n    service: ${service}\n    with: ${JSON.stringify(given(service, over))}\n`

describe('every ready contract', () => {
  it.each(NAMES)('%s is a configuration that holds, with all that the schema of a probe asks', service => {
    const tool = parseConfig(yamlOf(service), '/x/agent-ledger.yaml').tools.write
    const contract = SERVICE_CONTRACTS[service]
    expect(tool?.effect).toBe(contract?.effect)
    expect(tool?.contract.arrival_bound_ms).toBe(contract?.arrival_ms)
    expect(tool?.contract.probe).toMatchObject({ kind: 'service', service })
    expect(contract?.answers.length).toBeGreaterThan(0)
    for (const { url, read } of contract?.sources ?? []) {
      expect(URL.canParse(url)).toBe(true)
      expect(read === null || /^20\d\d-\d\d$/.test(read)).toBe(true)
    }
    expect(contract?.sources.length).toBeGreaterThan(0)
  })

  it.each(NAMES)('%s leaves no parameter unfilled, and every parameter means something to it', service => {
    const contract = serviceContract({ service, with: given(service) })
    if ('problem' in contract) throw new Error(contract.problem)
    const { repeat, look_here, probes } = contract
    expect(JSON.stringify({ repeat, look_here, probes })).not.toContain('{with.')
    const raw = JSON.stringify(SERVICE_CONTRACTS[service])
    for (const name of Object.keys(SERVICE_CONTRACTS[service]?.parameters ?? {}))
      expect(raw).toContain(`{with.${name}}`)
  })

  it.each(NAMES)(
    '%s waits for the lag of lists, asks at least twice, and never proves by a search',
    service => {
      for (const probe of SERVICE_CONTRACTS[service]?.probes ?? []) {
        const { settle_ms, reads, spacing_ms } = termsOf(probe, undefined)
        expect(reads).toBeGreaterThanOrEqual(2)
        expect(spacing_ms).toBeGreaterThanOrEqual(60_000)
        if (probe.grade === 'C') expect(settle_ms).toBeGreaterThanOrEqual(5 * 60_000)
      }
    },
  )

  it.each(NAMES)('%s says what it would ask, or what it lacks to ask it', service => {
    const { probes } = { probes: [], ...serviceContract({ service, with: given(service) }) }
    for (const probe of probes as readonly SingleProbe[]) // of what holds no problem
      expect(planProbe(probe, someFacts(), aWorld()).length).toBeGreaterThan(0)
  })
})

describe('the example', () => {
  it('has a tool of every ready contract', () => {
    const path = 'examples/contracts/agent-ledger.yaml'
    const { tools } = parseConfig(readFileSync(path, 'utf8'), path)
    expect(
      Object.values(tools)
        .map(({ service }) => service)
        .sort(),
    ).toEqual([...NAMES].sort())
  })
})

describe('a tool that names a service', () => {
  const mistake = (yaml: string) => {
    try {
      parseConfig(yaml, '/x/agent-ledger.yaml')
      return undefined
    } catch (error) {
      return JSON.stringify(Object(error).facts)
    }
  }

  it('declares what goes before the contract, and keeps the rest of it', () => {
    const text = `${yamlOf('stripe.v1', { object: 'refunds' })}    effect: irreversible
    repeat: { kind: idempotency_key, retention: 12h }
    settle: 30m
    classify: [{ when: { status: 503 }, end: not_applied, reason: ours }]
    look_here: { check: 'ask ana' }
`
    const tool = parseConfig(text, '/x/agent-ledger.yaml').tools.write
    expect(tool).toMatchObject({
      effect: 'irreversible',
      repeat: { kind: 'idempotency_key', retention_ms: 12 * 3_600_000 },
      contract: {
        arrival_bound_ms: 15 * 60_000,
        look_here: { check: 'ask ana', url: expect.stringContaining('dashboard.stripe.com') },
        probe: { settle_ms: 30 * 60_000 },
        ids: [{ kind: 'stripe_object' }, { in: 'error' }],
      },
    })
    expect(tool?.contract.classify?.[0]).toMatchObject({ reason: 'ours' })
    expect(tool?.contract.classify?.length).toBeGreaterThan(1)
  })

  it('keeps the retention of the service where it says none, and is refused a longer one', () => {
    const key = (more: string) => `${yamlOf('stripe.v1')}    repeat: { kind: idempotency_key${more} }\n`
    const { tools } = parseConfig(key(', scope: a'), '/x/agent-ledger.yaml')
    expect(tools.write?.repeat).toEqual({ kind: 'idempotency_key', retention_ms: 86_400_000, scope: 'a' })
    expect(mistake(key(', retention: 25h'))).toContain('stripe.v1 keeps a key for 1d')
    expect(mistake(key(', retention: 24h'))).toBeUndefined()
  })

  it.each([
    ['service: github.isues', 'did you mean github.issues'],
    ['service: stripe.v1', 'wants with.object'],
    ['service: stripe.v1\n    with: { object: charges, objekt: x }', 'knows no with.objekt'],
    ['with: { repo: x }', 'no service that it is for'],
    ['probe: { service: github.isues }', 'did you mean github.issues'],
  ])('%s is refused with its line', (line, says) => {
    const found = mistake(`tools:\n  write:\n    ${line}\n`)
    expect(found?.toLowerCase()).toContain(says.toLowerCase())
    expect(found).toMatch(/line [34]/)
  })

  it('is named in the JSON Schema for editors', () => {
    expect(JSON.stringify(configJsonSchema())).toContain('"github.issues"')
  })
})
