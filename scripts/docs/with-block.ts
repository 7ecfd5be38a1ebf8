/** A part of a document that is made from code. It stands between `<!-- generated: name -->` and `<!-- end: name -->`. */
export interface Block {
  /** path from the root of the project */
  readonly file: string
  readonly name: string
  readonly markdown: () => string
}

/** The document with this block made anew. Throws when the document has no place for it. */
export function withBlock(document: string, { file, name, markdown }: Block): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`]
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no place for the block ${name}: ${begin} … ${end}`)
  return `${document.slice(0, from + begin.length)}\n${markdown().trim()}\n${document.slice(to)}`
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
