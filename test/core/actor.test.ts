import { expect, it } from 'vitest'
import { actorForms, actorName, actorWords } from '../../src/core/actor.js'

it.each([
  ['flag:ana', 'ana (flag)'],
  ['git:ana@example.com', 'ana@example.com (git)'],
  ['ci:github/octo', 'github/octo (ci)'],
  ['os:ana:x@host', 'ana:x@host (os)'],
  ['agent', 'agent'],
  ['mailto:ana', 'mailto:ana'],
  ['flag:', 'flag:'],
  [':ana', ':ana'],
])('%s is shown as %s', (actor, shown) => {
  expect(actorWords(actor)).toBe(shown)
  expect(actorForms(shown)).toContain(actor)
})

it('has a name that stands alone', () => {
  expect(['flag:ana', 'agent', 'os:ana@host', 'ana (x)'].map(actorName)).toEqual([
    'ana',
    'agent',
    'ana@host',
    'ana (x)',
  ])
})

it('is found by the name alone', () => {
  expect(actorForms('ana')).toEqual(expect.arrayContaining(['ana', 'flag:ana', 'git:ana']))
})
