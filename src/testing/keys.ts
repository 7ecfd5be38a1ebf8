/** How the service treats a repeat of the same request. */
export type Mode =
  /** POST with an `Idempotency-Key`; the answer is kept this long after the first use, then the key is new again */
  | { readonly kind: 'keyed'; readonly retention_ms: number }
  /** PUT of a name the client chose, with `If-None-Match: *`: made when absent, else 412 */
  | { readonly kind: 'conditional' }
  /** POST; every request makes another object */
  | { readonly kind: 'plain' }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export type KeyUse =
  | { readonly kind: 'first' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'mismatch' }

/** The service's memory of idempotency keys. */
export interface Keys {
  /** asks and, when the key is new or forgotten, takes it */
  use(key: string, request: string): KeyUse
  finish(key: string, answer: Answer): void
}

interface Kept {
  readonly request: string
  readonly first_used_at: number
  readonly answer: Answer | null
}

/**
 * Status codes and what a replay returns follow draft-ietf-httpapi-idempotency-key-header-07: 409 while the first
 * request is worked on, 422 for other parameters under the same key, else the answer of the first.
 */
export function createKeys(retentionMs: number, clock: () => number): Keys {
  const kept = new Map<string, Kept>()
  return {
    use(key, request) {
      const known = kept.get(key)
      if (known === undefined || clock() - known.first_used_at >= retentionMs) {
        kept.set(key, { request, first_used_at: clock(), answer: null })
        return { kind: 'first' }
      }
      if (known.request !== request) return { kind: 'mismatch' }
      return known.answer === null ? { kind: 'in_flight' } : { kind: 'replay', answer: known.answer }
    },
    finish(key, answer) {
      const known = kept.get(key)
      if (known !== undefined) kept.set(key, { ...known, answer })
    },
  }
}
