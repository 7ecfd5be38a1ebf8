import type { ReportDocument } from '../core/documents/report.js'
import type { JsonValue } from '../core/json.js'
import { reportJson } from './json.js'
import { reportMarkdown } from './markdown.js'
import { reportText, type TextStyle } from './text.js'

export interface ReportStyle extends TextStyle {
  /** masks secrets in a whole value */
  readonly mask: (value: JsonValue) => JsonValue
}

interface Told {
  readonly report: ReportDocument
  readonly ledger: string
  /** milliseconds since 1970 UTC */
  readonly now: number
}

type Renderer = (told: Told, style: ReportStyle) => string

/** The forms of a report by name. A new one is its file and a line here. */
export const RENDERERS = {
  text: ({ report }, style) => `${reportText(report, style)}\n`,
  markdown: ({ report }, style) => reportMarkdown(report, style),
  json: ({ report, ledger, now }, style) =>
    `${JSON.stringify(style.mask(reportJson(report, { ledger, now })), null, 2)}\n`,
} as const satisfies Readonly<Record<string, Renderer>>

export type ReportFormat = keyof typeof RENDERERS

/** Those of RENDERERS, and HTML, which needs more than the report and is loaded when it is asked for (html/report.ts). */
export const REPORT_FORMATS = ['text', 'markdown', 'html', 'json'] as const satisfies readonly (
  | ReportFormat
  | 'html'
)[]
