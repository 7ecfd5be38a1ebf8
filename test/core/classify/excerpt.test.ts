import { describe, expect, it } from 'vitest'
import { answerOf, factsOfAnswer } from '../../../src/core/classify/answer.js'
import { classify } from '../../../src/core/classify/classify.js'
import { excerpt } from '../../../src/core/classify/excerpt.js'
import { createRedactor } from '../../../src/core/redact/redact.js'

const SECRET = `ghp_${'Z9'.repeat(20)}`
const URL_WITH_ONE = 'https://agent:Z9Z9Z9@db.internal/tickets'
const { text: mask } = createRedactor()

describe.each([SECRET, URL_WITH_ONE])('what is cut off within %s', secret => {
  const from = Array.from({ length: secret.length + 1 }, (_, n) => n)

  it.each(from)('of the message of an error shows no part of it (%i)', before => {
    const text = `${'a '.repeat(1_000)}`.slice(0, 2_000 - before - 1)
    const { message } = classify(new Error(`${text} ${secret} and more`))
    expect(message).toContain('characters)')
    expect(mask(message)).not.toContain('Z9')
  })

  it.each(from)('of an answer shows no part of it (%i)', before => {
    const text = `${'a '.repeat(150)}`.slice(0, 300 - before - 1)
    const read = { status: 500, headers: {}, left_out: null, broke: null, host: 'h', asked: 'POST /' }
    const answer = answerOf({ ...read, text: `${text} ${secret} and more` })
    expect(mask(factsOfAnswer(answer)?.message ?? '')).not.toContain('Z9')
  })
})

it.each([
  ['a short one', 'all of it', 9, 'all of it'],
  ['one between words', 'one two', 3, 'one'],
  ['one within a word', 'one two', 5, 'one'],
  ['one that is a single word', 'onetwo', 3, 'one'],
  ['one within a character', 'ab\u{1f600}', 3, 'ab\ufffd'],
])('%s is cut between words', (_, text, longest, cut) => {
  expect(excerpt(text, longest)).toBe(cut)
})
