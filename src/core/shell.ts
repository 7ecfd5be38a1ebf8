/** A word as a POSIX shell reads it back, to be pasted: quoted where it must be. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** JSON in ASCII alone, so that no terminal, copy or encoding on its way changes it. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, unit => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
