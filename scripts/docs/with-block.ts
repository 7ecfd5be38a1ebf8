/** A part of a document that is made from code. It stands between `<!-- generated: name -->` and `<!-- end: name -->`. */
export interface Block {
  /** path from the root of the project */
  readonly file: string
  readonly name: string
  readonly markdown: () => string | Promise<string>
  /** what two versions have in common that say the same; absent: all of it */
  readonly steady?: (markdown: string) => string
}

/** The document with this block made anew. Throws when the document has no place for it. */
export async function withBlock(document: string, { file, name, markdown, steady }: Block): Promise<string> {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`]
  const from = document.indexOf(begin) + begin.length
  const to = document.indexOf(end)
  if (!document.includes(begin) || to < from) {
    throw new Error(`${file} has no place for the block ${name}: ${begin} … ${end}`)
  }
  const [before, after] = [document.slice(from, to).trim(), (await markdown()).trim()]
  const isSame = steady !== undefined && steady(before) === steady(after)
  return isSame ? document : `${document.slice(0, from)}\n${after}\n${document.slice(to)}`
}

/** A Markdown table; a `|` inside a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    head,
    head.map(() => '---'),
    ...rows.map(row => row.map(cell => cell.replaceAll('|', '\\|'))),
  ]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
