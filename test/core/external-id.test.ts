import { expect, it } from 'vitest'
import { externalIdOf } from '../../src/core/external-id.js'

it('is kind and value as text, with what is said about it', () => {
  expect(externalIdOf('ticket', 'T-1')).toEqual({ kind: 'ticket', value: 'T-1' })
  expect(externalIdOf('job', 42, { url: 'https://x/42', scope: 'queue-1' })).toEqual({
    kind: 'job',
    value: '42',
    url: 'https://x/42',
    scope: 'queue-1',
  })
  expect(externalIdOf('charge', 12345678901234567890n)?.value).toBe('12345678901234567890')
  expect(externalIdOf('ratio', 0.5)?.value).toBe('0.5')
})

it.each([
  ['', 'a number that was rounded', 2 ** 53],
  ['', 'nothing', ''],
  ['', 'an object', {}],
  ['', 'null', null],
  ['', 'undefined', undefined],
  ['', 'true', true],
  ['', 'a lone surrogate', 'T-\ud800'],
  ['', 'a NUL', 'T\u0000'],
  ['', 'too long a text', 'x'.repeat(2_001)],
])('%scannot be %s', (_, __, value) => {
  expect(externalIdOf('ticket', value)).toBeNull()
  expect(externalIdOf(value === 'x'.repeat(2_001) ? 'x'.repeat(101) : value, 'T-1')).toBeNull()
})

it('has lengths that fit, to the character', () => {
  expect(externalIdOf('x'.repeat(100), 'y'.repeat(2_000))).not.toBeNull()
  const long = { url: 'u'.repeat(4_000), scope: 's'.repeat(500) }
  expect(externalIdOf('a', 'b', long)).toMatchObject(long)
  expect(externalIdOf('a', 'b', { url: `${long.url}u`, scope: `${long.scope}s` })).toEqual({
    kind: 'a',
    value: 'b',
  })
})

it('leaves out what is said about it in no text, and never throws', () => {
  const odd = { url: null, scope: {} } as never
  expect(externalIdOf('a', 'b', odd)).toEqual({ kind: 'a', value: 'b' })
  expect(externalIdOf('a', 'b', null as never)).toEqual({ kind: 'a', value: 'b' })
})
