import { describe, expect, it } from 'vitest'
import { answerOf, factsOfAnswer, type ReadAnswer } from '../../../src/core/classify/answer.js'
import { factsOf } from '../../../src/core/classify/facts.js'
import { failure } from './support/thrown.js'

const READ: ReadAnswer = {
  status: 201,
  headers: {},
  text: '',
  left_out: null,
  broke: null,
  host: 'api.example',
  asked: 'POST https://api.example/tickets',
}
const answered = (over: Partial<ReadAnswer> = {}) => answerOf({ ...READ, ...over })
const factsFor = (over: Partial<ReadAnswer> = {}) => factsOfAnswer(answered(over))

describe('the answer that a caller is handed', () => {
  it('holds the headers that name what was made or the request, and no other', () => {
    const kept = {
      'content-location': '/t/1',
      etag: '"1"',
      'idempotent-replayed': 'true',
      'last-modified': 'then',
      location: '/t/1',
      'operation-location': '/op/1',
      'request-id': 'r',
      'x-request-id': 'x',
    }
    const { headers } = answered({ headers: { ...kept, 'set-cookie': 'secret', authorization: 'secret' } })
    expect(headers).toEqual(kept)
  })

  it.each<[string, Partial<ReadAnswer>, object]>([
    ['JSON', { text: '{"id":7}' }, { body: { id: 7 } }],
    [
      'JSON with every digit of its whole numbers',
      { text: '{"id":12345678901234567}' },
      { body: { id: '12345678901234567' } },
    ],
    ['text where it is no JSON', { text: 'done' }, { body: 'done' }],
    ['null where that is what it says', { text: ' null ' }, { body: null }],
    ['false where that is what it says', { text: 'false' }, { body: false }],
    ['nothing where there was none', { text: '' }, {}],
    ['nothing where it broke off', { text: null }, {}],
    [
      'the reason why it is not here',
      { text: null, left_out: 'longer than 1 MB' },
      { body_left_out: 'longer than 1 MB' },
    ],
  ])('has as its body %s', (_, read, body) => {
    expect(answered(read)).toEqual({ status: 201, headers: {}, ...body })
  })
})

describe('what the rules read of an answer', () => {
  it('is all of it, with every header, and is not seen among its members', () => {
    const headers = { 'retry-after': '7' }
    const answer = answered({ status: 429, headers, text: '{"error":"full"}' })
    expect(JSON.stringify(answer)).toBe('{"status":429,"headers":{},"body":{"error":"full"}}')
    expect(factsOfAnswer(answer)).toMatchObject({
      name: 'Response',
      code: null,
      host: 'api.example',
      message: 'POST https://api.example/tickets answered 429: {"error":"full"}',
      isAnswer: true,
      cause: null,
    })
    expect(factsOfAnswer(answer)?.response).toEqual({ status: 429, headers, body: { error: 'full' } })
  })

  it.each<[string, Partial<ReadAnswer>, string]>([
    ['nothing of a body that is empty', { text: '' }, ''],
    ['nothing of a body that was not read', { text: null }, ''],
    ['the beginning of a long one', { text: `${'word '.repeat(100)}` }, `: ${'word '.repeat(60).trim()}`],
    ['no NUL', { text: 'a\0b' }, ': a␀b'],
    ['no half of a character', { text: 'a\ud800b' }, ': a\ufffdb'],
  ])('says in its message %s', (_, read, said) => {
    expect(factsFor(read)?.message).toBe(`POST https://api.example/tickets answered 201${said}`)
  })

  it('says that the body is not known where it was not read, and not where there was none', () => {
    expect(factsFor({ text: null })?.response).toEqual({
      status: 201,
      headers: {},
      body: null,
      isUnread: true,
    })
    expect(factsFor({ text: '' })?.response).toEqual({ status: 201, headers: {}, body: null })
  })

  it('is the answer and, where it broke off, what broke it', () => {
    const broke = factsOf(failure({ name: 'SocketError', code: 'UND_ERR_SOCKET' }))
    expect(factsFor({ text: null, broke })).toMatchObject({
      name: 'SocketError',
      code: 'UND_ERR_SOCKET',
      isAnswer: false,
      cause: broke,
    })
  })

  it('is found in nothing else', () => {
    const others = [null, undefined, 'x', 7, {}, { status: 201 }, () => 1, new Response()]
    expect(others.map(factsOfAnswer)).toEqual(others.map(() => null))
    expect(factsOfAnswer({ ...answered() })).toBeNull()
  })
})
