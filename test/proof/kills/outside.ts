import { request } from 'node:http'
import type { HandlerContext } from '../../../src/index.js'
import type { Mode } from '../../../src/testing/index.js'

/** Somebody may want to know that a place was passed, or to die there. */
export type Pass = (place: string) => void

export interface OutsideCall {
  readonly url: string
  readonly mode: Mode['kind']
  readonly id: string
  readonly pass: Pass
}

type Context = Pick<HandlerContext, 'idempotencyKey' | 'signal' | 'externalId'>

/**
 * A handler as a careful person writes it: one request, nothing retried, what is not understood is thrown as it is. A
 * refused condition is compared with what is there.
 */
export async function writeOutside(
  { url, mode, id, pass }: OutsideCall,
  { idempotencyKey, signal, externalId }: Context,
): Promise<{ id: string }> {
  const answer =
    mode === 'conditional'
      ? await ask(
          { method: 'PUT', url: `${url}/things/${id}`, headers: { 'if-none-match': '*' }, body: { of: id } },
          { signal, pass },
        )
      : await ask(
          {
            method: 'POST',
            url: `${url}/things`,
            headers: mode === 'keyed' ? { 'idempotency-key': idempotencyKey } : {},
            body: { of: id },
          },
          { signal, pass },
        )
  pass('answer_arrived')
  const made = answer.status === 412 ? await alreadyThere(`${url}/things/${id}`, id, signal) : answer
  if (made.status !== 200 && made.status !== 201) throw Object.assign(new Error(`${made.status}`), made)
  const thing = Reflect.get(Object(made.body), 'id')
  if (typeof thing !== 'string') throw new Error('an answer without an id')
  await externalId('thing', thing)
  pass('id_named')
  return { id: thing }
}

/** The name is taken: by an earlier attempt of this operation, if what is there is ours. */
async function alreadyThere(url: string, id: string, signal: AbortSignal): Promise<Answer> {
  const found = await ask({ method: 'GET', url, headers: {}, body: null }, { signal, pass: () => {} })
  const body = Reflect.get(Object(found.body), 'body')
  if (found.status === 200 && Reflect.get(Object(body), 'of') === id) return found
  throw new Error(`the name is taken, and a look-up answers ${found.status}`)
}

interface Asking {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | null
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

function ask(
  { method, url, headers, body }: Asking,
  { signal, pass }: { readonly signal: AbortSignal; readonly pass: Pass },
): Promise<Answer> {
  const text = Buffer.from(body === null ? '' : JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, headers: { ...headers, 'content-length': text.length }, signal, agent: false },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
            })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    asked.on('error', reject)
    if (body === null) {
      asked.end()
      return
    }
    const half = text.length >> 1
    asked.write(text.subarray(0, half), () => {
      pass('request_half_written')
      asked.end(text.subarray(half))
    })
  })
}
