import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/json.js'
import { failed, type Get, type Got, get, isGot, type NotGot, placeProblem, waitAsked } from './get.js'

/** Everything that was asked and answered, for the evidence. */
export interface Answers {
  readonly requests: JsonObject[]
  readonly digest: ReturnType<typeof createHash>
  count: number
}

export function noAnswers(): Answers {
  return { requests: [], digest: createHash('sha256'), count: 0 }
}

/** What every request of one look shares. */
export interface Ask {
  readonly base: Omit<Get, 'url'>
  readonly seen: Answers
}

/** One request of a look, noted for the evidence. */
export async function requestOne(text: string, { base, seen }: Ask): Promise<Got | NotGot> {
  if (!URL.canParse(text)) return failed('cannot_ask', `${text.slice(0, 200)} is no address`)
  const url = new URL(text)
  const problem = placeProblem(url, base)
  if (problem !== null) return failed('host_not_named', problem)
  const answer = await get({ ...base, url })
  const note = { method: base.method ?? 'GET', url: url.href }
  seen.requests.push(isGot(answer) ? { ...note, status: answer.status } : { ...note, failed: answer.code })
  if (isGot(answer)) {
    seen.count += 1
    seen.digest.update(answer.digest)
  }
  return answer
}

/** Why an answer that is no 2xx is no answer to the question. */
export function refusalOf(answer: Got, now: number): NotGot {
  const { status, headers } = answer
  const wait = waitAsked(answer, now)
  const why = `${status} from ${answer.url.host}`
  if (status === 401) return failed('unauthorized', `${why}: the credential is not accepted`)
  const isLimited =
    status === 429 || (status === 403 && (wait !== null || headers['x-ratelimit-remaining'] === '0'))
  if (isLimited) return failed('rate_limited', `${why}: too many requests`, wait)
  if (status === 403) return failed('forbidden', `${why}: the credential may not read this`)
  if (status >= 500) return failed('server_error', why, wait)
  return failed('refused', why, wait)
}

export function kindOf({ headers, body }: Got): string {
  const type = headers['content-type']?.split(';')[0]?.trim() ?? ''
  if (type === 'text/html' || /^\s*<(?:!doctype|html)/i.test(body)) return 'a web page instead of JSON'
  return body.trim() === '' ? 'nothing' : `${type === '' ? 'something' : type} that is no JSON to be read`
}
