import { isLedgerError } from '../../core/errors.js'
import type { Detection } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { textHead } from '../text-file/chunks.js'
import { createJsonSplitter, type JsonPiece } from '../text-file/json-splitter.js'
import { type Entry, EVENT_LISTS, entriesOfValue, type InputFile } from './entries.js'
import { inputFiles } from './files.js'

const HEAD_BYTES = 262_144
const MOST_FILES = 20

export function detect(file: SourceFile): Detection {
  let files: InputFile[]
  try {
    files = inputFiles(file)
  } catch (error) {
    if (isLedgerError(error)) return { matches: false, why: error.message.slice(file.path.length + 1) }
    throw error
  }
  const found = files.slice(0, MOST_FILES).map(({ path }) => lookAt(textHead(path, HEAD_BYTES)))
  return found.find(({ matches }) => matches) ?? found[0] ?? { matches: false, why: 'is empty' }
}

function lookAt(head: Buffer): Detection {
  const pieces: JsonPiece[] = []
  createJsonSplitter({ lists: EVENT_LISTS }, piece => pieces.push(piece)).write(head)
  const place = { document: '', where: '' }
  const entries = pieces.flatMap(piece => (piece.kind === 'torn' ? [] : entriesOfValue(piece, place)))
  const has = (kind: Entry['kind']) => entries.some(entry => entry.kind === kind)
  if (has('event')) return { matches: true, why: 'has events of a Temporal workflow history' }
  if (has('describe')) return { matches: true, why: 'is the describe answer of a Temporal workflow' }
  if (entries.some(entry => entry.kind === 'end' && entry.isRaw))
    return { matches: true, why: 'has a Temporal workflow history as raw bytes' }
  if (entries.some(entry => entry.kind === 'skipped' && entry.code === 'other_engine'))
    return { matches: false, why: 'has events of Cadence or SWF, which are not Temporal’s' }
  // One value that is longer than what was looked at.
  const text = entries.length === 0 ? head.toString('latin1') : ''
  const isLong = /"event_?[Ii]d"/.test(text) && /"event_?[Tt]ype"/.test(text)
  if (isLong || text.includes('"workflowExecutionInfo"'))
    return { matches: true, why: 'begins like a Temporal workflow history' }
  return { matches: false, why: 'has no events of a Temporal workflow history' }
}
