import { fieldOf, someText } from '../field.js'

/** The HTTP method, in capitals, where the client writes it on its errors: axios, got, Octokit, ky. */
export function methodOf(thrown: unknown): string | null {
  for (const holder of ['config', 'options', 'request']) {
    const method = someText(fieldOf(fieldOf(thrown, holder), 'method'))
    if (method !== null) return method.toUpperCase()
  }
  return null
}

/**
 * Did a layer below the handler send the request more than once? Then what it reports is the end of the last sending
 * alone. Counters: AWS SDK `$metadata.attempts`, got `response.retryCount`, axios-retry, Octokit's plugin-retry.
 */
export function isResent(thrown: unknown): boolean {
  const counters = [
    Number(fieldOf(fieldOf(thrown, '$metadata'), 'attempts')) - 1,
    fieldOf(fieldOf(thrown, 'response'), 'retryCount'),
    fieldOf(fieldOf(fieldOf(thrown, 'config'), 'axios-retry'), 'retryCount'),
    fieldOf(fieldOf(fieldOf(thrown, 'request'), 'request'), 'retryCount'),
  ]
  return counters.some(count => typeof count === 'number' && count > 0)
}
