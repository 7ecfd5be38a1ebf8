import { resolve } from 'node:path'

/**
 * The `ledger:` of a configuration's text without reading the rest: commands that only look start 20 ms sooner than
 * with the whole schema. Answers `unsure` where one line does not say it for certain; the caller then reads it whole.
 */
export function ledgerKey(text: string): { readonly value: string | null } | 'unsure' {
  const found = text.match(/^ledger[ \t]*:.*$/gm) ?? []
  if (found.length === 0) return ELSEWHERE.test(text) ? 'unsure' : { value: null }
  if (found.length > 1 || /^(?:---|\.\.\.|%)/m.test(text)) return 'unsure'
  const plain =
    /^ledger[ \t]*:[ \t]+(?:"([^"\\]+)"|'([^']+)'|([\w./~-][^#\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/.exec(
      found[0] ?? '',
    )
  const value = plain?.[1] ?? plain?.[2] ?? plain?.[3]
  if (value === undefined || value.trim() === '' || isNoText(value) || value.includes(': ')) return 'unsure'
  return isContinued(text) ? 'unsure' : { value: value.trim() }
}

// A flow mapping (JSON), a quoted or explicit key, or a document that is indented as a whole.
const ELSEWHERE = /^\s*\{|["']ledger["']\s*:|^[ \t]*\?|^[ \t]+ledger[ \t]*:/m

/** A URL as it stands; a path from the folder of the configuration. */
export function ledgerFrom(value: string, folder: string): string {
  return isUrl(value) ? value : resolve(folder, value)
}

/** True for `postgres://…`, `file:…` and the like; a drive letter is none. */
export function isUrl(location: string): boolean {
  return /^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/i.test(location)
}

// Plain words that YAML reads as something else than text.
function isNoText(value: string): boolean {
  return /^(?:true|false|null|~|[-+]?[\d.][\d._a-fxo+-]*)$/i.test(value.trim())
}

// A plain or quoted text may go on in the next line when that is indented.
function isContinued(text: string): boolean {
  return /^ledger[ \t]*:.*\r?\n(?:[ \t]*\r?\n)*[ \t]+[^\s#]/m.test(text)
}
