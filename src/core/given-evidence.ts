import type { JsonObject } from './json.js'

/**
 * What a person gives as evidence: their own words, or something that can be looked at again. A file and an output are
 * named by their digest, `sha256:<hex>` over their bytes, so that nobody can put another in their place later.
 */
export type GivenEvidence = string | KnownEvidence

export type KnownEvidence =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'ticket'; readonly ticket: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly digest: string
      readonly bytes: number
    }
  | {
      readonly kind: 'output'
      /** where it came from: a path, or stdin */
      readonly from: string
      /** its beginning */
      readonly text: string
      readonly digest: string
      readonly bytes: number
    }

const KEYS: Readonly<Record<KnownEvidence['kind'], readonly string[]>> = {
  url: ['url'],
  ticket: ['ticket'],
  file: ['path', 'digest', 'bytes'],
  output: ['from', 'text', 'digest', 'bytes'],
}

/** Why a value is no evidence of a known kind; null where it is. */
export function evidenceProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is neither text nor {kind, …}'
  const kind: unknown = Reflect.get(value, 'kind')
  const keys = typeof kind === 'string' && isKind(kind) ? KEYS[kind] : undefined
  if (keys === undefined) return `has no kind of ${Object.keys(KEYS).join(', ')}`
  const odd = Object.keys(value).find(key => key !== 'kind' && !keys.includes(key))
  if (odd !== undefined) return `${odd} means nothing in evidence of kind ${String(kind)}`
  const unfit = keys.find(key => !isFit(key, Reflect.get(value, key)))
  return unfit === undefined ? null : `${unfit} does not fit`
}

function isKind(kind: string): kind is KnownEvidence['kind'] {
  return Object.hasOwn(KEYS, kind)
}

function isFit(key: string, value: unknown): boolean {
  if (key === 'bytes') return Number.isSafeInteger(value) && Number(value) >= 0
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false
  if (key === 'digest') return /^sha256:[0-9a-f]{64}$/.test(value)
  return key === 'text' || value.trim() !== ''
}

/** The same as one line for people. */
export function evidenceWords(given: GivenEvidence): string {
  if (typeof given === 'string') return given
  switch (given.kind) {
    case 'url':
      return given.url
    case 'ticket':
      return `ticket ${given.ticket}`
    case 'file':
      return `file ${given.path}, ${given.bytes} bytes, ${given.digest}`
    case 'output':
      return `output of ${given.from}, ${given.bytes} bytes, ${given.digest}: ${given.text}`
  }
}

/** A stored body as `evidenceWords` puts it; null where it is no evidence that a person gave. */
export function storedEvidenceWords(body: unknown): string | null {
  if (typeof body === 'string') return body
  // The check above it has looked at every key.
  return evidenceProblem(body) === null ? evidenceWords(body as KnownEvidence) : null
}

/** As it is stored and written into files: a plain JSON value, its texts put through `mask`. */
export function evidenceBody(given: GivenEvidence, mask: (text: string) => string): string | JsonObject {
  if (typeof given === 'string') return mask(given)
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === 'string' && key !== 'kind' && key !== 'digest' ? mask(value) : value,
    ]),
  )
}
