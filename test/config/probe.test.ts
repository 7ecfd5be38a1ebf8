import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/load.js'
import { isLedgerError } from '../../src/core/errors.js'

const http = 'kind: http, grade: C, url: https://api.example/x'
const objects = 'match: { key: key }, id: { kind: ticket, value: id }'

function probe(text: string) {
  return parseConfig(`tools:\n  pay:\n    probe: { ${text} }\n`, '/a/agent-ledger.yaml').tools.pay
}

function mistakes(text: string): string {
  try {
    probe(text)
    return 'none'
  } catch (error) {
    return isLedgerError(error) ? JSON.stringify(error.facts) : String(error)
  }
}

describe('a probe in agent-ledger.yaml', () => {
  it('is read with its durations in milliseconds, and copied into the contract', () => {
    const tool = probe(`${http}, settle: 3m, reads: 3, spacing: 30s, keeps: 30d, ${objects}`)
    const expected = {
      kind: 'http',
      grade: 'C',
      url: 'https://api.example/x',
      settle_ms: 180_000,
      reads: 3,
      spacing_ms: 30_000,
      keeps_ms: 2_592_000_000,
      match: { key: { path: 'key' } },
      id: { kind: 'ticket', value: 'id' },
    }
    expect(tool?.probe).toEqual(expected)
    expect(tool?.contract.probe).toEqual(expected)
  })

  it('can be a service by its name, or several together', () => {
    expect(probe('service: github.issues, with: { repo: a }')?.probe).toEqual({
      kind: 'service',
      service: 'github.issues',
      with: { repo: 'a' },
    })
    const all =
      'kind: all, of: [{ service: git.push }, { kind: npm, package: a, version: "1", integrity: x }]'
    expect(probe(all)?.probe).toMatchObject({ kind: 'all', of: [{ kind: 'service' }, { kind: 'npm' }] })
  })

  it.each([
    ['kind: htp', 'line 3', 'a kind is wanted'],
    ['url: https://a.example', 'probe.service', 'the name of a service is wanted, or a kind'],
    [`${http}`, 'probe.match', 'it says of no answer what it means'],
    [`${http}, match: { key: key }`, 'probe.id', 'what is found has no name'],
    [`${http}, ${objects}, setle: 3m`, 'setle', 'did you mean settle'],
    [`${http}, ${objects}, reads: 1`, 'probe.reads', 'one empty answer proves nothing'],
    [`${http}, match: { key: 'a[' }, id: { kind: t, value: id }`, 'match.key', 'it is no JMESPath'],
    [
      `${http}, match: { key: { path: a, marker: op } }, id: { kind: t, value: id }`,
      'marker',
      'every object would fit',
    ],
    [`kind: http, grade: C, url: 'https://{target}/x', ${objects}`, 'probe.url', 'its host is filled in'],
    [
      `kind: http, grade: C, url: 'https://a.example/{env.TOKEN}', ${objects}`,
      'probe.url',
      'addresses are kept',
    ],
    [`kind: http, grade: C, url: 'https://u:p@a.example/', ${objects}`, 'probe.url', 'use headers'],
    [`kind: http, grade: C, url: 'file:///etc/passwd', ${objects}`, 'probe.url', 'https:// or http://'],
    [
      `${http}, match: { named_by: key }, id: { kind: t, value: id }`,
      'probe.match',
      'wants {idempotency_key} in the url',
    ],
    [
      'kind: sql, database: "postgres://u:p@h/d", query: select 1, match: { key: k }, id: { kind: t, value: id }',
      'probe.database',
      'does not belong here',
    ],
    ['kind: command, run: []', 'probe.run', 'the program is missing'],
  ])('refuses { %s } and says where', (text, where, why) => {
    expect(mistakes(text)).toContain(where)
    expect(mistakes(text)).toContain(why)
  })
})
