import { type Answer, answerOf } from '../../core/classify/answer.js'
import { type ErrorFacts, factsOf } from '../../core/classify/facts.js'
import { PLACE_HEADERS } from '../../core/classify/ids.js'
import { notExecuted } from '../../core/classify/not-executed.js'
import { headersOf } from '../../core/classify/response-facts.js'
import type { Handler } from '../handler.js'

/** One HTTP write, whole: nothing of it is read from a stream, so that it can be sent again as it is. */
export interface HttpWrite {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** the header that carries the idempotency key; null: none does */
  readonly key_header: string | null
}

/** Longer answers are cut off: a result of a write is short. */
export const LONGEST_ANSWER = 1_048_576

/**
 * A handler that sends the write once and reads its answer. No redirect is followed: a write is never sent on to
 * another place by itself. It returns every answer, refusals too; the rules read them.
 */
export function fetchHandler(write: HttpWrite): Handler<Answer> {
  const { url, method, body } = write
  const host = url.hostname
  // Query and fragment may carry secrets.
  const asked = `${method} ${url.origin}${url.pathname}`
  return async ({ idempotencyKey, signal }) => {
    if (signal.aborted) throw notExecuted('it was told to stop before the request began')
    const headers = headersWith(write, idempotencyKey)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    const { status } = response
    const read = await bodyOf(response)
    return answerOf({ status, headers: wholeHeaders(response, url), host, asked, ...read })
  }
}

/** A caller's own key may hold what no header can carry: then nothing is sent. */
function headersWith({ headers, key_header }: HttpWrite, key: string): Headers {
  const all = new Headers(headers)
  try {
    if (key_header !== null) all.set(key_header, key)
  } catch (cause) {
    throw notExecuted(`its idempotency key cannot stand in the header ${key_header}`, { cause })
  }
  return all
}

/** Headers with the places they name made whole. */
function wholeHeaders({ headers }: Response, base: URL): Readonly<Record<string, string>> {
  const read = { ...headersOf(headers) }
  for (const name of PLACE_HEADERS) {
    const place = read[name]
    if (place !== undefined && URL.canParse(place, base.href)) read[name] = new URL(place, base).href
  }
  return read
}

interface Read {
  readonly text: string | null
  readonly left_out: string | null
  readonly broke: ErrorFacts | null
}

async function bodyOf(response: Response): Promise<Read> {
  try {
    const bytes = await bytesOf(response)
    if (bytes === null) return without(`it is longer than ${LONGEST_ANSWER} bytes`)
    const text = textOf(bytes)
    return text === null ? without('it is no UTF-8 text') : { text, left_out: null, broke: null }
  } catch (error) {
    return { ...without('the answer broke off'), broke: factsOf(error) }
  }
}

function without(left_out: string): Read {
  return { text: null, left_out, broke: null }
}

/** Null where there is more than is read. */
async function bytesOf({ body }: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > LONGEST_ANSWER) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
