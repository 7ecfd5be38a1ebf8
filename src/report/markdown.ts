import type { ReportDocument } from '../core/documents/report.js'
import { type Safe, type SafeShape, safe } from '../core/safe-text.js'
import { codeSpan, plainOrCode } from './markdown-text.js'
import type { Part, Section } from './page/page.js'
import { reportPage } from './page/report-page.js'

export interface MarkdownStyle {
  readonly show: (text: string, shape?: SafeShape) => Safe
  readonly exact: (at: number) => Safe
}

const LONGEST = 2_000

/** The takeover report as CommonMark: headings and lists of our own, everything else inside code spans. */
export function reportMarkdown(report: ReportDocument, style: MarkdownStyle): string {
  const page = reportPage(report)
  const blocks = [
    `# ${line(page.title, style)}`,
    ...page.sections.map(section => sectionText(section, style)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function sectionText({ heading, intro, entries }: Section, style: MarkdownStyle): string {
  const items = entries.flatMap(({ line: first, details }) => [
    `- ${line(first, style)}`,
    ...details.map(detail => `  - ${line(detail, style)}`),
  ])
  const before = intro === undefined ? [] : [line(intro, style), '']
  return [`## ${safe(heading)}`, '', ...before, ...items].join('\n')
}

function line(parts: readonly Part[], style: MarkdownStyle): string {
  return parts.map(part => partText(part, style)).join('')
}

function partText(part: Part, style: MarkdownStyle): string {
  switch (part.kind) {
    case 'words':
      return part.text
    case 'said':
      return plainOrCode(style.show(part.text, { max: LONGEST }))
    case 'name':
    case 'command':
      return codeSpan(style.show(part.text))
    case 'quote':
      return codeSpan(style.show(part.text, { max: LONGEST }))
    case 'time':
      return style.exact(Date.parse(part.at))
  }
}
