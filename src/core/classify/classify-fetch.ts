import { type Classified, type ClassifyOptions, classify, classifyFacts } from './classify.js'
import { factsOf } from './facts.js'
import { readBody } from './response-facts.js'

export interface ClassifyFetchOptions extends ClassifyOptions {
  /** the body of the answer where it was read, as text or as JSON */
  readonly body?: unknown
}

/**
 * What a `Response`, or whatever `fetch` or another client threw, says about the write that was sent: the same rules
 * that read the end of a handler. Nothing is read from the body's stream, and nothing is recorded.
 */
export function classifyFetch(given: unknown, { body, ...options }: ClassifyFetchOptions = {}): Classified {
  const facts = factsOf(given)
  if (facts.response === null || body === undefined) return classify(given, options)
  const response = { ...facts.response, body: typeof body === 'string' ? readBody(body) : body }
  return classifyFacts(given, { ...facts, response }, options)
}
