import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/core/operation.js'
import { inputPath, otherIntent } from '../../../src/core/transitions/other-intent.js'
import { anIntent } from '../builders.js'
import { states } from './cases.js'

const stored = (over: Partial<Operation> = {}): Operation => ({ ...states.prepared().operation, ...over })

describe('another intent under an id', () => {
  it('is none where tool, target and input are the same', () => {
    expect(otherIntent(stored(), anIntent())).toBeNull()
  })

  it('is told by tool, target and input, with where they differ and both digests', () => {
    const given = anIntent({ tool: 'tickets.close', target: null, input: { title: 'Disk', tags: ['a'] } })
    expect(otherIntent(stored({ input: { title: 'Disk full', tags: [] } }), given)).toEqual({
      rule: null,
      stored_digest: stored().input_digest,
      given_digest: given.input_digest,
      differences: [
        { path: 'tool', kind: 'changed' },
        { path: 'target', kind: 'changed' },
        { path: 'input.tags[0]', kind: 'added' },
        { path: 'input.title', kind: 'changed' },
      ],
    })
  })
})

describe('another key of the same intent', () => {
  const named = anIntent({ idempotency_key: 'order-9' })

  it('is refused: a key is made once', () => {
    expect(otherIntent(stored(), named)).toMatchObject({
      rule: 'key_changed',
      differences: [{ path: 'idempotency_key', kind: 'changed' }],
    })
    const both = otherIntent(stored(), { ...named, tool: 'tickets.close' })
    expect(both).toMatchObject({
      rule: null,
      differences: [{ path: 'tool' }, { path: 'idempotency_key' }],
    })
  })

  it.each<[string, Partial<Operation>]>([
    ['an attempt may have taken effect', { may_have_applied: true }],
    ['it is unknown', { status: 'unknown' }],
    ['it is in flight', { status: 'in_flight' }],
  ])('is refused as one that may be a second write where %s', (_, over) => {
    expect(otherIntent(stored(over), named)?.rule).toBe('key_changed_while_unknown')
  })

  it.each(['confirmed', 'cancelled', 'abandoned'] as const)(
    'says nothing of what is %s: its record answers',
    status => {
      expect(otherIntent(stored({ status }), named)).toBeNull()
    },
  )

  it('is none where the caller names none, or the one on record', () => {
    expect(otherIntent(stored({ idempotency_key: 'order-9' }), anIntent())).toBeNull()
    expect(otherIntent(stored({ idempotency_key: 'order-9' }), named)).toBeNull()
  })
})

it.each([
  ['', 'input'],
  ['title', 'input.title'],
  ['[0]', 'input[0]'],
  ['list[0]', 'input.list[0]'],
])('the place %j is called %s', (path, called) => {
  expect(inputPath(path)).toBe(called)
})
