import type { TextStyle } from '../report/text.js'
import type { Deps } from './deps.js'

/** How this call shows a page: masked, safe, in its colours and its time zone. */
export function pageStyle({ show, paint, times }: Deps): TextStyle {
  return { show, bold: paint.bold, dim: paint.dim, exact: times.exact, relative: times.relative }
}
