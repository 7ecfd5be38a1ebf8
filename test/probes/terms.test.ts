import { describe, expect, it } from 'vitest'
import type { SingleProbe } from '../../src/core/probe.js'
import { askProbe, termsOf } from '../../src/probes/index.js'
import { aWorld, someFacts } from './support/asking.js'

const LIST: SingleProbe = {
  kind: 'http',
  grade: 'C',
  url: 'https://tickets.example/all',
  match: { key: { path: 'key' } },
  id: { kind: 'ticket', value: 'id' },
}

describe('a source', () => {
  it.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 3],
    [undefined, 2],
  ])('declared with %s reads is looked at %s times', (reads, wanted) => {
    const probe = reads === undefined ? LIST : { ...LIST, reads }
    expect(termsOf(probe, undefined).reads).toBe(wanted)
  })

  it('is looked at twice at least, whatever is declared', () => {
    expect(termsOf({ ...LIST, reads: 1 }, 0).reads).toBe(2)
  })

  it('lags by what it declares, else by what its tool declares, else by what its kind is known for', () => {
    expect(termsOf({ ...LIST, settle_ms: 7 }, 9).settle_ms).toBe(7)
    expect(termsOf(LIST, 9).settle_ms).toBe(9)
    expect(termsOf(LIST, undefined).settle_ms).toBe(900_000)
  })
})

describe('a probe', () => {
  it('that throws is a look that failed, with its reason', async () => {
    const facts = new Proxy(someFacts(), {
      ownKeys: () => {
        throw new Error('the record cannot be read')
      },
    })
    const probe: SingleProbe = { kind: 'command', run: [process.execPath, '--version'] }
    expect(await askProbe(probe, { facts, world: aWorld(), settleMs: undefined })).toMatchObject({
      completeness: 'failed',
      code: 'cannot_ask',
      why: 'the record cannot be read',
    })
  })
})
