import type { ImportedRecord } from '../../core/imported.js'
import type { Detection, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { firstValues } from '../text-file/located-values.js'
import { whyNotText } from '../text-file/not-text.js'
import { unreadable } from '../unreadable.js'
import { LISTS, recordsOf } from './records.js'
import { unwrap } from './unwrap.js'

/** Message logs with tool calls: OpenAI chat completions and responses, Anthropic messages; a list, a document, or lines. */
export const transcript: Source = {
  id: 'transcript',
  title: 'message logs with tool calls',
  detect,
  records,
}

function detect(file: SourceFile): Detection {
  const whyNot = whyNotText(file)
  if (whyNot !== undefined) return { matches: false, why: whyNot }
  const kinds = firstValues(file.path, { lists: LISTS }).map(value => unwrap(value).kind)
  if (kinds.includes('messages')) return { matches: true, why: 'holds messages of a model and its tools' }
  return kinds.includes('delta')
    ? { matches: true, why: 'holds pieces of streamed answers, which are not put together' }
    : { matches: false, why: 'holds no messages of a model and its tools' }
}

async function* records(file: SourceFile): AsyncGenerator<ImportedRecord> {
  if (file.kind !== 'file') throw unreadable(file.path, 'is no plain file', 'Name a log of messages.')
  yield* recordsOf(file.path)
}
