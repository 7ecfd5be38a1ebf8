import { safe } from './safe-text.js'

/**
 * A command that a person can paste into sh, bash or zsh as it stands, whatever the ids in it hold. Options go before
 * the id, because an id that begins with `-` stands behind `--`.
 */
export function ledgerCommand(verb: string, options: readonly string[], id?: string): string {
  const words = [
    'agent-ledger',
    verb,
    ...options,
    ...(id === undefined ? [] : id.startsWith('-') ? ['--', id] : [id]),
  ]
  return words.map(shellWord).join(' ')
}

/** One argument for a POSIX shell: bare where nothing in it has a meaning there, else quoted. */
export function shellWord(text: string): string {
  if (/^(?!=)[\w/.:,@%+=-]+$/.test(text)) return text
  return safe(text) === text ? `'${text.replaceAll("'", `'\\''`)}'` : `$'${[...text].map(escaped).join('')}'`
}

// What a terminal does not show is written as bash and zsh read it back, so that the pasted id is the same id.
function escaped(char: string): string {
  if (char === "'" || char === '\\') return `\\${char}`
  const code = char.codePointAt(0) ?? 0
  if (safe(char) === char && code >= 0x20) return char
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0')
}
