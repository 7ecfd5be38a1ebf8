import { EXPORT_SCHEMA } from '../../core/exporting/lines.js'
import type { ImportedRecord } from '../../core/imported.js'
import { parseForeignJson } from '../../core/parse-json.js'
import type { Detection, ReadOptions, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { textHead } from '../text-file/chunks.js'
import { type TextLine, textLines } from '../text-file/lines.js'
import { unreadable } from '../unreadable.js'

/** What `agent-ledger export` wrote. */
export const ledgerExport: Source = {
  id: 'agent-ledger',
  title: 'an export of agent-ledger',
  // its lines are JSON lines of our own documented shape
  alsoNamed: ['jsonl'],
  detect,
  records,
}

/** Longer than the mark and the blanks that somebody may have put around it. */
const HEAD_BYTES = 4096

function detect(file: SourceFile): Detection {
  if (file.kind !== 'file') return { matches: false, why: 'is no plain file' }
  const head = textHead(file.path, HEAD_BYTES).toString('utf8').trimStart()
  if (!/^\{\s*"schema"\s*:\s*"agent-ledger\/export@/.test(head))
    return { matches: false, why: `does not begin with "schema":"${EXPORT_SCHEMA}"` }
  return { matches: true, isCertain: true, why: `begins with the mark of ${EXPORT_SCHEMA}` }
}

async function* records(file: SourceFile, _options: ReadOptions): AsyncGenerator<ImportedRecord> {
  const { exportEnd, exportHead } = await import('../../core/exporting/lines-schema.js')
  const { createOwnRecords } = await import('../own-records.js')
  const own = createOwnRecords()
  let count = 0
  let isEnded = false
  let isHeadRead = false
  for await (const line of textLines(file.path)) {
    const value = line.text === null || line.text.trim() === '' ? undefined : parseForeignJson(line.text)
    if (!isHeadRead) {
      isHeadRead = true
      const head = exportHead.safeParse(value)
      if (!head.success) throw otherVersion(file.path)
      if (head.data.masked)
        yield warning(
          'masked',
          'secrets in it were masked when it was written: inputs are not as they were sent',
          null,
        )
      continue
    }
    if (line.text?.trim() === '') continue
    const end = exportEnd.safeParse(value)
    if (end.success) {
      isEnded = true
      if (end.data.records !== count)
        yield warning(
          'records_missing',
          `${count} records are there, its last line counts ${end.data.records}`,
          null,
        )
      continue
    }
    count += 1
    if (value === undefined) yield noRecord(line)
    else yield* own(value, `line ${line.line}`)
  }
  if (!isEnded)
    yield warning(
      'cut_off',
      'its last line is missing: the export was cut off, and what follows is not there',
      null,
    )
}

function noRecord({ line, text, isWhole }: TextLine): ImportedRecord {
  const where = `line ${line}`
  if (text === null) return warning('line_too_long', 'a line is larger than what is read', where)
  return warning(
    isWhole ? 'not_json' : 'torn_end',
    isWhole ? 'a line is no JSON' : 'the last line is torn',
    where,
  )
}

function otherVersion(path: string) {
  return unreadable(
    path,
    'is an export whose first line this version does not know',
    'Read it with the version of agent-ledger that wrote it, or with a newer one.',
  )
}

function warning(code: string, message: string, where: string | null): ImportedRecord {
  return { record: 'warning', code, message, where }
}
