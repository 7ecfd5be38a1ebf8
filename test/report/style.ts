import { formatAge } from '../../src/core/duration.js'
import { createRedactor } from '../../src/core/redact/redact.js'
import { type Safe, type SafeShape, safe } from '../../src/core/safe-text.js'
import type { TextStyle } from '../../src/report/text.js'
import { NOON } from '../core/builders.js'

const redactor = createRedactor()

/** As the command line shows a report through a pipe, an hour after noon. */
export const PLAIN: TextStyle = {
  show: (text: string, shape?: SafeShape) => safe(redactor.text(text), shape),
  bold: (text: Safe) => text,
  dim: (text: Safe) => text,
  exact: at => safe(new Date(at).toISOString()),
  relative: at =>
    safe(
      at > NOON + 3_600_000
        ? `in ${formatAge(at - NOON - 3_600_000)}`
        : `${formatAge(NOON + 3_600_000 - at)} ago`,
    ),
}
