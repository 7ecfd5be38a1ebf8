import type { JsonValue } from '../../../src/core/json.js'
import type { HandlerContext } from '../../../src/index.js'
import type { FakeService } from '../../../src/testing/index.js'

/** Makes one object of a collection at a service, as a handler of a guarded operation. */
export function posting(
  { url }: Pick<FakeService, 'url'>,
  collection: string,
  body: Readonly<Record<string, JsonValue>>,
) {
  return async ({ idempotencyKey, signal, externalId }: HandlerContext) => {
    const response = await fetch(`${url}/${collection}`, {
      method: 'POST',
      headers: { 'idempotency-key': idempotencyKey },
      // a service without keys keeps ours among its fields
      body: JSON.stringify({ ...body, ref: idempotencyKey }),
      signal,
    })
    if (!response.ok) throw refused(response)
    const made: { readonly id: string; readonly url: string } = JSON.parse(await response.text())
    await externalId(collection.replace(/s$/, ''), made.id, { url: made.url })
    return { id: made.id }
  }
}

function refused({ status, headers }: Response): Error {
  return Object.assign(new Error(`answered ${status}`), {
    status,
    headers: Object.fromEntries(headers.entries()),
  })
}

/** The probe of such a collection: all of it by time, found by our key among its fields. `terms`: further lines. */
export function listProbe(url: string, collection: string, ...terms: readonly string[]): string {
  return `    probe:
      kind: http
      grade: C
      url: ${url}/${collection}
      parent: ${url}/${collection}
      items: items
      next: next
      complete: complete
      match: { key: body.ref }
      id: { kind: ${collection.replace(/s$/, '')}, value: id, url: url }
      result: '{id: id}'
      spacing: 1s
${terms.map(term => `      ${term}\n`).join('')}`
}
