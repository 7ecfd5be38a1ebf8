import type { Observed } from '../core/observation.js'
import { fillStrictly } from '../core/placeholders.js'
import type { ProbeFacts } from './probe.js'

/** A template filled in, or why it cannot be. */
export type Filled = { readonly text: string } | { readonly problem: string }

/** For an address: values are escaped, so that they stay what they stand for. */
export function fillUrl(template: string, facts: ProbeFacts): Filled {
  return filled(template, facts, (value, { isPath }) => {
    const parts = isPath ? value.split('/') : [value]
    // A dot segment would lead to another place of the service, escaped or not.
    if (parts.some(part => part === '.' || part === '..' || (isPath && part === ''))) return null
    return value.isWellFormed() ? parts.map(encodeURIComponent).join('/') : null
  })
}

/** For everything that is compared or handed over as it is. */
export function fillPlain(template: string, facts: ProbeFacts): Filled {
  return filled(template, facts, value => (value.includes('\0') ? null : value))
}

/** The variables of the environment in a text: `{env.NAME}`. */
export function namedInEnv(text: string): string[] {
  return [...text.matchAll(ENV)].map(([, name]) => name ?? '')
}

/** With the values of the environment; only for what is sent and never kept. */
export function fillFromEnv(text: string, env: Readonly<Record<string, string | undefined>>): Filled {
  const missing = namedInEnv(text).filter(name => (env[name] ?? '') === '')
  if (missing.length > 0) return { problem: `the environment has no ${missing.join(', ')}` }
  return { text: text.replace(ENV, (_, name: string) => env[name] ?? '') }
}

export function cannotAsk(why: string): Observed {
  return { completeness: 'failed', code: 'cannot_ask', why, retry_after_ms: null }
}

const ENV = /\{env\.([A-Za-z_][A-Za-z0-9_]*)\}/g

function filled(
  template: string,
  facts: ProbeFacts,
  write: (value: string, how: { readonly isPath: boolean }) => string | null,
): Filled {
  const { text, missing } = fillStrictly(template, facts, write)
  return missing.length === 0
    ? { text }
    : { problem: `nothing fit to ask by is on record for ${missing.join(', ')}` }
}
