/** An error with these members, as Node and its libraries make them. */
export function failure(over: object, cause?: unknown): Error {
  return Object.assign(new Error('it failed', cause === undefined ? undefined : { cause }), over)
}

export interface Answered {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The shapes in which clients throw an answer that is no success, as axios 1.21, got 14, Octokit 10, … make them. */
export const CLIENTS: Readonly<Record<string, (status: number, answered?: Answered) => unknown>> = {
  axios: (status, { headers = {}, body = '' } = {}) =>
    failure({
      name: 'AxiosError',
      code: status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST',
      config: { method: 'post' },
      response: { status, headers, data: body },
      status,
    }),
  got: (status, { headers = {}, body } = {}) =>
    failure({
      name: 'HTTPError',
      code: 'ERR_NON_2XX_3XX_RESPONSE',
      options: { method: 'POST' },
      response: { statusCode: status, headers, body: JSON.stringify(body), retryCount: 0 },
    }),
  octokit: (status, { headers = {}, body } = {}) =>
    failure({
      name: 'HttpError',
      status,
      request: { method: 'POST', request: { retryCount: 0 } },
      response: { url: 'https://api.example', status, headers, data: body },
    }),
  ky: (status, { headers = {}, body = null } = {}) =>
    failure({
      name: 'HTTPError',
      request: { method: 'POST' },
      response: new Response(withoutBody(status) ? null : JSON.stringify(body), { status, headers }),
    }),
  'undici.request': (status, { headers = {}, body = null } = {}) =>
    failure({
      name: 'ResponseStatusCodeError',
      code: 'UND_ERR_RESPONSE_STATUS_CODE',
      status,
      statusCode: status,
      headers,
      body,
    }),
  stripe: (status, { headers = {}, body } = {}) =>
    failure({ type: 'StripeError', statusCode: status, headers, raw: body }),
  openai: (status, { headers = {}, body } = {}) =>
    failure({ name: 'APIError', status, headers: new Headers(headers), error: body }),
  'AWS SDK': (status, { headers = {} } = {}) =>
    failure({
      name: 'ServiceException',
      $metadata: { httpStatusCode: status, attempts: 1 },
      $response: { headers },
    }),
  'a thrown Response': (status, { headers = {} } = {}) => new Response(null, { status, headers }),
}

function withoutBody(status: number): boolean {
  return [204, 205, 304].includes(status)
}

/** A status as @grpc/grpc-js gives it. */
export function grpcError(
  code: number,
  details = '',
  metadata: Readonly<Record<string, string>> = {},
): Error {
  return failure({ code, details, metadata: { getMap: () => metadata } })
}
