import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkpointDocumentSchema } from '../../src/core/checkpoint-schema.js'
import type { ImportedOperation, ImportedRecord } from '../../src/core/imported.js'
import { detectSource, readCheckpoint, SOURCES } from '../../src/sources/index.js'
import type { ReadOptions, Source } from '../../src/sources/source.js'
import { openSourceFile } from '../../src/sources/source-file.js'
import { folderState } from './folder-state.js'
import { expectSound } from './sound-records.js'

/**
 * `expected.json` of `fixtures/<source>/<case>/`, decided by hand. A list alone is `operations`, or `records` where its
 * entries have a `record` field.
 */
interface Expected {
  /** the input's name in the folder; by default the one thing there besides expected.json and origin.md */
  readonly input?: string
  readonly options?: ReadOptions
  /** all records, in their order and with all their fields */
  readonly records?: readonly ImportedRecord[]
  /** all operations in their order, with the fields that matter: operation_id, status, rule, … */
  readonly operations?: readonly Partial<ImportedOperation>[]
  /** fields of some of the other records, each found somewhere */
  readonly others?: readonly object[]
  /** code → how often */
  readonly warnings?: Readonly<Record<string, number>>
  /** fields of the checkpoint document’s threads, where the source reads checkpoints */
  readonly threads?: readonly object[]
  /** for each thread what it advises, and the codes of its warnings */
  readonly advice?: readonly string[]
  readonly codes?: readonly (readonly string[])[]
}

const root = join(import.meta.dirname, '../../fixtures')
// What the real library answered to those of LangGraph stands with them in another form: langgraph/fixtures.test.ts.
const sources = SOURCES.filter(({ id }) => id !== 'langgraph')
const cases = sources.flatMap(source =>
  casesOf(source.id).map(name => ({ source, name, folder: join(root, source.id, name) })),
)

function casesOf(id: string): string[] {
  if (!existsSync(join(root, id))) return []
  return readdirSync(join(root, id), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
}

it.each(SOURCES.map(({ id }) => [id]))(
  'each case of %s says what is expected and where it comes from',
  id => {
    const names = casesOf(id)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names)
      expect(readdirSync(join(root, id, name)), name).toEqual(
        expect.arrayContaining(['expected.json', 'origin.md']),
      )
  },
)

it('LangGraph has damaged inputs of both languages among its fixtures', () => {
  for (const name of ['js-corrupt-file', 'js-corrupt-checkpoint', 'py-corrupt-write', 'py-pg-corrupt-route'])
    expect(casesOf('langgraph')).toContain(name)
})

describe.each(cases.map(one => [`${one.source.id}/${one.name}`, one] as const))('%s', (_, one) => {
  const { source, folder } = one
  const expected = expectedOf(folder)
  const path = join(folder, expected.input ?? inputOf(folder))

  it('is known by its content, and by no other source', () => {
    expect(detectSource(path).flatMap(({ source: id, matches }) => (matches ? [id] : []))).toEqual([
      source.id,
    ])
  })

  it('is read as was decided by hand, the same each time, and left as it was', async () => {
    const before = folderState(folder)
    const records = await recordsOf(source, path, expected.options)
    expect(await recordsOf(source, path, expected.options)).toEqual(records)
    expect(folderState(folder)).toEqual(before)
    if (expected.records) expect(records).toEqual(expected.records)
    if (expected.operations) {
      const shown = operationsOf(records).map((operation, index) =>
        fieldsOf(operation, expected.operations?.[index]),
      )
      expect(shown).toEqual(expected.operations)
    }
    for (const other of expected.others ?? []) expect(records).toContainEqual(expect.objectContaining(other))
    if (!expected.records) expect(countsOf(records)).toEqual(expected.warnings ?? {})
  })

  it('gives records that can be stored', async () => {
    expectSound(await recordsOf(source, path, expected.options))
  })

  const whereThreads = expected.threads ? it : () => {}
  whereThreads('says what a resume would do', async () => {
    const document = await readCheckpoint(path, { source: source.id, ...expected.options })
    checkpointDocumentSchema.parse(document)
    expect(document.threads).toEqual(expected.threads?.map(thread => expect.objectContaining(thread)))
    if (expected.advice) expect(document.threads.map(({ advice }) => advice.action)).toEqual(expected.advice)
    if (expected.codes)
      expect(document.threads.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual(expected.codes)
  })

  it('says where it comes from', () => {
    expect(readFileSync(join(folder, 'origin.md'), 'utf8').trim()).not.toBe('')
  })
})

it.each(sources.map(({ id }) => [id]))('%s has a damaged input among its fixtures', id => {
  const own = cases.filter(({ source }) => source.id === id)
  expect(own.some(({ folder }) => Object.keys(expectedOf(folder).warnings ?? {}).length > 0)).toBe(true)
})

async function recordsOf(source: Source, path: string, options: ReadOptions = {}): Promise<ImportedRecord[]> {
  const file = openSourceFile(path)
  try {
    const records: ImportedRecord[] = []
    for await (const record of source.records?.(file, options) ?? []) records.push(record)
    return records
  } finally {
    file.close()
  }
}

function expectedOf(folder: string): Expected {
  const given: Expected | readonly object[] = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  if (!isList(given)) return given
  return { [given.some(entry => 'record' in entry) ? 'records' : 'operations']: given }
}

function isList(given: Expected | readonly object[]): given is readonly object[] {
  return Array.isArray(given)
}

function inputOf(folder: string): string {
  const inputs = readdirSync(folder).filter(name => name !== 'expected.json' && name !== 'origin.md')
  const [input] = inputs
  if (input === undefined || inputs.length > 1)
    throw new Error(`${folder}: expected.json must name its input`)
  return input
}

function operationsOf(records: readonly ImportedRecord[]): ImportedOperation[] {
  return records.filter(record => record.record === 'operation')
}

function fieldsOf(operation: ImportedOperation, wanted: Partial<ImportedOperation> = {}): object {
  const names = Object.keys(wanted)
  return Object.fromEntries(
    Object.entries(operation).filter(([name]) => names.includes(name) || name === 'operation_id'),
  )
}

function countsOf(records: readonly ImportedRecord[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const record of records)
    if (record.record === 'warning') counts[record.code] = (counts[record.code] ?? 0) + 1
  return counts
}
