import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ImportedRecord } from '../src/core/imported.js'
import { readCheckpoint, SOURCES } from '../src/sources/index.js'
import { openSourceFile } from '../src/sources/source-file.js'
import { EXPECTED, type ExpectedLog } from './log-data/expected.js'

// Reads public histories of Temporal and conversations of OpenHands, which lie outside the project, and prints of each what
// was expected by the rules of their systems and what the reader made of it. Not a part of the tests.
//   AGENT_LEDGER_DATA=<folder with temporal/ and openhands/> npx tsx scripts/check-log-data.ts
// Several names are read as one folder, as a history and the describe answer beside it are.

const root = process.env.AGENT_LEDGER_DATA
if (root === undefined || root === '') {
  console.error('AGENT_LEDGER_DATA is not set: name the folder that holds temporal/ and openhands/.')
  process.exit(2)
}

const NOW = Date.parse('2026-01-01T00:00:00Z')

let differences = 0
console.log('file\texpected\tgot')
for (const expected of EXPECTED) {
  const { source, files } = expected
  const { path, remove } = placeOf(files.map(name => join(root, source, name)))
  try {
    const wanted = linesOf(expected)
    const found = await readAs(source, path)
    for (let n = 0; n < Math.max(wanted.length, found.length); n++) {
      const [want, got] = [wanted[n] ?? '(nothing)', found[n] ?? '(nothing)']
      if (want !== got) differences++
      console.log(`${files.join(' + ')}\t${want}\t${want === got ? 'the same' : `DIFFERENT: ${got}`}`)
    }
  } finally {
    remove()
  }
}
console.log(`${EXPECTED.length} inputs read, ${differences} differences`)
process.exitCode = differences > 0 ? 1 : 0

function placeOf(paths: readonly string[]): { readonly path: string; readonly remove: () => void } {
  const [only] = paths
  if (only !== undefined && paths.length === 1) return { path: only, remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'log-data-'))
  for (const path of paths) symlinkSync(path, join(folder, basename(path)))
  return { path: folder, remove: () => rmSync(folder, { recursive: true }) }
}

function linesOf({ task, operations, warnings, advice }: ExpectedLog): string[] {
  return [
    `task ${task}`,
    ...[...operations].sort(),
    ...[...warnings].sort().map(code => `warning ${code}`),
    `advice ${advice}`,
  ]
}

/** The source is found by the content: another one that fits would be a difference too. */
async function readAs(name: string, path: string): Promise<string[]> {
  const file = openSourceFile(path)
  try {
    const fitting = SOURCES.filter(source => source.detect(file).matches)
    const source = fitting.find(({ id }) => id === name)
    if (source === undefined || fitting.length > 1) return [`known as ${fitting.map(({ id }) => id).join()}`]
    const records: ImportedRecord[] = []
    for await (const record of source.records?.(file, { now: NOW }) ?? []) records.push(record)
    const operations = records.flatMap(record =>
      record.record === 'operation'
        ? [`${keyOf(record.operation_id)} ${record.tool}: ${record.status} by ${record.rule}`]
        : [],
    )
    const codes = records.flatMap(record => (record.record === 'warning' ? [`warning ${record.code}`] : []))
    const task = records.findLast(record => record.record === 'task')
    const { threads } = await readCheckpoint(path, { now: NOW })
    return [
      `task ${task?.record === 'task' ? task.status : 'missing'}`,
      ...operations.sort(),
      ...codes.sort(),
      `advice ${threads.map(({ advice }) => advice.action).join()}`,
    ]
  } finally {
    file.close()
  }
}

/** What tells it from the others of its run: the number of its event, the first part of the id of its action. */
function keyOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).split(/[.@-]/)[0] ?? id
}
