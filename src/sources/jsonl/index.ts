import type { ImportedRecord } from '../../core/imported.js'
import { objectOf } from '../json-parts.js'
import type { Detection, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { firstValues } from '../text-file/located-values.js'
import { whyNotText } from '../text-file/not-text.js'
import { unreadable } from '../unreadable.js'
import { recordsOf } from './records.js'
import { type Shape, shapeOf } from './shape.js'

/** JSON lines: our own documented shape, and records of operations and phases as programs write them for themselves. */
export const jsonl: Source = {
  id: 'jsonl',
  title: 'JSON lines with operations, phases and tasks',
  detect,
  records,
}

const WORDS = {
  own: 'holds records in the shape of agent-ledger',
  operation: 'holds records of operations: ids with a status',
  phase: 'holds records of phases with their artifacts',
  task: 'holds records of tasks',
} as const satisfies Record<Exclude<Shape, null>, string>

function detect(file: SourceFile): Detection {
  const whyNot = whyNotText(file)
  if (whyNot !== undefined) return { matches: false, why: whyNot }
  for (const value of firstValues(file.path)) {
    const object = objectOf(value)
    // an export of this program has a source of its own, and `jsonl` finds it too
    if (String(object?.schema ?? '').startsWith('agent-ledger/export@'))
      return { matches: false, why: 'is an export of agent-ledger' }
    const shape = object === null ? null : shapeOf(object)
    if (shape !== null) return { matches: true, why: WORDS[shape] }
  }
  return { matches: false, why: 'holds no JSON lines with operations, phases or tasks' }
}

async function* records(file: SourceFile): AsyncGenerator<ImportedRecord> {
  if (file.kind !== 'file')
    throw unreadable(file.path, 'is no plain file', 'Name a file with one JSON object a line.')
  let isAny = false
  for await (const record of recordsOf(file.path)) {
    if (record.record !== 'warning') isAny = true
    yield record
  }
  if (!isAny)
    throw unreadable(
      file.path,
      'holds no operation, phase or task',
      'docs/sources/jsonl.md says what a line may look like.',
    )
}
