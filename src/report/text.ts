import type { ReportDocument } from '../core/documents/report.js'
import { join, type Safe, type SafeShape, safe, words as safeWords } from '../core/safe-text.js'
import type { Page, Part, Section } from './page/page.js'
import { reportPage } from './page/report-page.js'

/** How a terminal shows it. Whatever is not our own passes `show`, which masks secrets and escapes controls. */
export interface TextStyle {
  readonly show: (text: string, shape?: SafeShape) => Safe
  readonly bold: (text: Safe) => Safe
  readonly dim: (text: Safe) => Safe
  /** `2026-03-10T12:00:00.000Z`, in the zone asked for */
  readonly exact: (at: number) => Safe
  /** `3h 20m ago` */
  readonly relative: (at: number) => Safe
}

/** Longest text of others that a line carries; the JSON form has it whole. */
const LONGEST = 600

/** The takeover report for a terminal or a plain text file. */
export function reportText(report: ReportDocument, style: TextStyle): Safe {
  return pageText(reportPage(report), style)
}

/** Any page for a terminal or a plain text file. */
export function pageText(page: Page, style: TextStyle): Safe {
  const blocks = [
    style.bold(lineText(page.title, style)),
    ...page.sections.map(section => sectionText(section, style)),
  ]
  return join(blocks, safe('\n\n', { multiline: true }))
}

function sectionText({ heading, intro, entries }: Section, style: TextStyle): Safe {
  const lines = [style.bold(safe(heading))]
  if (intro !== undefined) lines.push(lineText(intro, style))
  for (const { line: first, details } of entries) {
    lines.push(safeWords`  ${lineText(first, style)}`)
    for (const detail of details) lines.push(safeWords`      ${lineText(detail, style)}`)
  }
  return join(lines, '\n')
}

/** Parts as one line. */
export function lineText(parts: readonly Part[], style: TextStyle): Safe {
  return join(
    parts.map(part => partText(part, style)),
    '',
  )
}

function partText(part: Part, style: TextStyle): Safe {
  switch (part.kind) {
    case 'words':
      return safe(part.text)
    case 'said':
      return style.show(part.text, { max: LONGEST })
    case 'name':
      return style.show(part.text)
    case 'quote':
      return safeWords`"${style.show(part.text.replaceAll('"', '\\"'), { max: LONGEST })}"`
    case 'command':
      return style.show(part.text)
    case 'time': {
      const at = Date.parse(part.at)
      return safeWords`${style.exact(at)} ${style.dim(safeWords`(${style.relative(at)})`)}`
    }
  }
}
