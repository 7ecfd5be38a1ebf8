import type { Source } from '../source.js'
import { read } from './checkpoint.js'
import { detect } from './detect.js'
import { records } from './records.js'

/** Workflow histories of Temporal as JSON, and what describe answers of them. */
export const temporal: Source = {
  id: 'temporal',
  title: 'Temporal workflow histories in JSON',
  detect,
  read,
  records,
}
