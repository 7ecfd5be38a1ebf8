import { describe, expect, it } from 'vitest'
import { type Facts, factsOf, fill, fillStrictly, fillText } from '../../src/core/placeholders.js'

const FACTS: Facts = {
  operation_id: 'op-2',
  target: null,
  idempotency_key: 'al-1',
  input: { repo: 'a/b', n: 7, empty: '', none: null, deep: { list: ['x'] } },
  result: null,
  external_id: { ticket: 'T-1' },
  since: '2026-03-10T11:00:00Z',
  found: null,
}
const shown = (value: string, { isPath }: { readonly isPath: boolean }) =>
  isPath ? `path(${value})` : `<${value}>`

describe('what is on record of an operation', () => {
  it('names an external id by its kind where there is one of that kind', () => {
    const operation = { operation_id: 'op-2', target: 'eu', idempotency_key: 'al-1' }
    const ids = [
      { kind: 'ticket', value: 'T-1' },
      { kind: 'charge', value: 'c1' },
      { kind: 'charge', value: 'c2' },
    ]
    expect(factsOf(operation, ids)).toEqual({
      ...operation,
      input: null,
      result: null,
      external_id: { ticket: 'T-1' },
    })
  })
})

describe('a template', () => {
  it('keeps what is no text, and the type of a value that is all of a text', () => {
    const template = [1, null, true, '{input.n}', '{input.deep.list}', 'n={input.n}']
    expect(fill(template, FACTS).value).toEqual([1, null, true, 7, ['x'], 'n=7'])
  })

  it.each(['{input.none}', '{input.repo.x}', '{input.toString}', '{result.id}', '{external_id.charge}'])(
    'wants what is not on record: %s',
    placeholder => {
      expect(fill(`${placeholder}`, FACTS)).toEqual({ value: null, missing: [placeholder] })
    },
  )

  it('knows no placeholder of probes, and none that names nothing', () => {
    for (const text of ['{since}', '{found}', '{input.}', '{inputs}', '{+input.repo}'])
      expect(fill(text, FACTS)).toEqual({ value: text, missing: [] })
  })
})

describe('a text that a person reads', () => {
  it.each([
    ['see {input.repo} #{input.n}', 'see <a/b> #<7>'],
    ['see {+input.repo}', 'see path(a/b)'],
    ['{input.deep}', '<{"list":["x"]}>'],
    ['{target} and {input.none} stay', '{target} and {input.none} stay'],
    ['{input.empty}', '<>'],
    ['{since}', '{since}'],
  ])('has what is on record in its place: %s', (text, filled) => {
    expect(fillText(text, FACTS, shown)).toBe(filled)
  })

  it('keeps a placeholder that cannot be written', () => {
    expect(fillText('see {input.repo}', FACTS, () => null)).toBe('see {input.repo}')
  })
})

describe('a text that is sent', () => {
  it.each([
    ['/{+input.repo}/{input.n}', '/path(a/b)/<7>', []],
    ['{input.deep.list}', '<["x"]>', []],
    ['{since}', '<2026-03-10T11:00:00Z>', []],
    ['a{target}b{target}', 'ab', ['{target}']],
    ['{input.empty}{input.none}', '', ['{input.empty}', '{input.none}']],
    ['{found}{since_unix}{first_sent}', '', ['{found}', '{since_unix}', '{first_sent}']],
    ['{+target}', '', ['{+target}']],
  ])('is told what is missing: %s', (text, filled, missing) => {
    expect(fillStrictly(text, FACTS, shown)).toEqual({ text: filled, missing })
  })

  it('misses what cannot be written', () => {
    expect(fillStrictly('{input.repo}', FACTS, () => null)).toEqual({ text: '', missing: ['{input.repo}'] })
  })
})
