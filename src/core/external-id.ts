import type { ExternalId } from './operation.js'

export interface IdAbout {
  /** where a person finds the object */
  readonly url?: string
  /** the account, project or region inside which the value is unique */
  readonly scope?: string
}

const LONGEST = { kind: 100, value: 2_000, url: 4_000, scope: 500 } as const

/**
 * An external id as the ledger keeps it, from whatever a handler or a program named; null for what cannot be one.
 * Reading it must not throw: the object it names exists already.
 */
export function externalIdOf(kind: unknown, value: unknown, about: IdAbout = {}): ExternalId | null {
  const kindText = textOf(kind, LONGEST.kind)
  const valueText = textOf(value, LONGEST.value)
  if (kindText === null || valueText === null) return null
  const url = textOf(about?.url, LONGEST.url)
  const scope = textOf(about?.scope, LONGEST.scope)
  return {
    kind: kindText,
    value: valueText,
    ...(url === null ? {} : { url }),
    ...(scope === null ? {} : { scope }),
  }
}

function textOf(value: unknown, longest: number): string | null {
  // Rounded by whoever parsed it: it would name another object.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return null
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null
  const text = String(value)
  return text === '' || text.length > longest || !text.isWellFormed() || text.includes('\0') ? null : text
}
