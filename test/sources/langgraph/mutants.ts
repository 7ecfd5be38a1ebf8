import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'
import { isLedgerError } from '../../../src/core/errors.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import { threadRecords } from '../../../src/sources/langgraph/records/index.js'
import type { Encoded, StoredChannel, ThreadRows, WriteRow } from '../../../src/sources/langgraph/rows.js'
import { openSaverTables } from '../../../src/sources/langgraph/tables.js'
import { readThread } from '../../../src/sources/langgraph/thread.js'
import { openSqliteFile } from '../../../src/sources/sqlite-file/open.js'
import { below, damagedBytes, type Outcome, pick, randomOf } from '../damage.js'
import { xxh128 } from './build-thread.js'
import { casesWith, FIXTURES } from './real-case.js'

// Databases and stored values with something wrong in them, each made from a seed. Whatever is in there, the reader gives
// a document of the right shape or refuses the file by name; it never crashes, hangs or writes.

const paths = casesWith('checkpoints.sqlite').map(name => join(FIXTURES, name, 'checkpoints.sqlite'))

/** Half of the seeds damage a whole file, half the values stored in it. Throws where a rule above is broken. */
export function readDamaged(seed: number, folder: string): Promise<Outcome> {
  return seed % 2 === 0 ? readDamagedFile(seed, folder) : readDamagedThread(seed)
}

/** Damages a whole file (and its -wal) and reads it. */
async function readDamagedFile(seed: number, folder: string): Promise<Outcome> {
  const random = randomOf(seed)
  const path = join(folder, 'checkpoints.sqlite')
  const scratchDir = join(folder, 'scratch')
  const original = pick(random, paths)
  const written: string[] = []
  for (const suffix of ['', '-wal']) {
    if (!statSync(original + suffix, { throwIfNoEntry: false })) continue
    const bytes = readFileSync(original + suffix)
    writeFileSync(
      path + suffix,
      random() < 0.2 && suffix !== '' ? bytes : damagedBytes(random, bytes, suffix === '' ? 100 : 32),
    )
    written.push(path + suffix)
  }
  const before = written.map(file => readFileSync(file))
  const outcome = await outcomeOf(() => readCheckpoint(path, { scratchDir }))
  for (const [index, file] of written.entries())
    if (!readFileSync(file).equals(before[index] ?? Buffer.alloc(0))) throw new Error(`${file} was changed`)
  const left = readdirSync(folder).filter(name => name !== 'scratch' && !written.includes(join(folder, name)))
  if (left.length + readdirSync(scratchDir).length > 0) throw new Error(`${left.join(', ')} was left behind`)
  for (const file of written) rmSync(file)
  return outcome
}

/** Damages the stored values and names of a thread in memory and reads it. */
async function readDamagedThread(seed: number): Promise<Outcome> {
  const random = randomOf(seed)
  const rows = damagedRows(random, pick(random, threads()))
  const request = { xxh128, nodeNames: ['flow', 't1', 'B2'], fileWarnings: [] }
  // A record that JSON does not hold could not be stored; each belongs to the task that comes first.
  const [task, ...others] = threadRecords(rows, request, 'x.sqlite')
  if (task?.record !== 'task') throw new Error('the task does not come first')
  for (const record of JSON.parse(JSON.stringify(others)))
    if ('task_id' in record && record.task_id !== task.task_id) throw new Error('a record of another task')
  return outcomeOf(async () => ({
    source: 'langgraph',
    language: 'unknown',
    saver: 'sqlite',
    threads: [readThread(rows, request).thread],
    left_out: 0,
  }))
}

async function outcomeOf(read: () => Promise<unknown>): Promise<Outcome> {
  let document: unknown
  try {
    document = await read()
  } catch (error) {
    if (isLedgerError(error) && error.code === 'ledger_unreadable') return 'refused'
    throw error
  }
  checkpointDocumentSchema.parse(document)
  return 'read'
}

let loaded: ThreadRows[] | undefined

/** The threads of all fixtures, their rows kept in memory. */
function threads(): readonly ThreadRows[] {
  loaded ??= paths.flatMap(path => {
    const file = openSqliteFile(path)
    try {
      const tables = openSaverTables(path, file)
      return [...tables.threadIds()].flatMap(id => {
        const rows = tables.thread(id)
        return rows === undefined ? [] : [remembered(rows)]
      })
    } finally {
      file.close()
    }
  })
  return loaded
}

function remembered(rows: ThreadRows): ThreadRows {
  const keys = rows.index()
  const namespaces = rows.namespaces()
  const history = new Map(namespaces.map(namespace => [namespace, rows.history(namespace)]))
  const checkpoints = namespaces.flatMap(namespace =>
    (history.get(namespace) ?? []).flatMap(({ checkpointId }) => {
      const row = rows.checkpoint(namespace, checkpointId)
      return row === undefined ? [] : [{ namespace, ...row }]
    }),
  )
  const writes = new Map(
    keys.map(({ namespace, checkpointId }) => [
      `${namespace} ${checkpointId}`,
      rows.writes(namespace, checkpointId),
    ]),
  )
  const persistent = rows.persistentNamespaces()
  const of = (namespace: string) => checkpoints.filter(row => row.namespace === namespace)
  return {
    threadId: rows.threadId,
    newest: namespace => of(namespace).at(-1),
    checkpoint: (namespace, id) => of(namespace).find(({ checkpointId }) => checkpointId === id),
    writes: (namespace, id) => writes.get(`${namespace} ${id}`) ?? [],
    hasNamespace: namespace => history.has(namespace),
    namespaces: () => namespaces,
    persistentNamespaces: () => persistent,
    history: namespace => history.get(namespace) ?? [],
    metadata: (namespace, id) => of(namespace).find(({ checkpointId }) => checkpointId === id)?.metadata,
    bytes: () => 1000,
    index: () => keys,
  }
}

// What a value may be replaced by inside its JSON, so that damage gets past the parser.
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '__start__',
  'join:a+b:c',
  'branch:to:branch:to:x',
  '\u0000\u001b[31m\u202e',
  [],
  {},
  [[], true],
  [null, false],
  { lc: 2, type: 'undefined' },
  { lc: 2, type: 'constructor', id: 'Set', args: [{}] },
  { lc: 1, type: 'constructor', id: [1], kwargs: [] },
  { node: 'x', args: [] },
  { __proto__: null, id: {} },
  [{ id: 3, value: {} }],
]

function damagedRows(random: () => number, rows: ThreadRows): ThreadRows {
  const rate = random() < 0.5 ? 0.05 : 0.5
  const maybe = <T>(value: T, change: (value: T) => T): T => (random() < rate ? change(value) : value)
  const encoded = (value: Encoded): Encoded =>
    maybe(value, ({ type, bytes }) =>
      random() < 0.1
        ? { type: pick(random, ['json', 'msgpack', 'bytes', 'null', 'pickle', 'x+aes', null]), bytes }
        : {
            type,
            bytes: random() < 0.5 ? damagedBytes(random, Buffer.from(bytes), 10) : damagedJson(random, bytes),
          },
    )
  const name = (text: string) => maybe(text, () => pick(random, NAMES))
  const write = (row: WriteRow): WriteRow => ({
    ...row,
    channel: name(row.channel),
    taskId: random() < rate / 5 ? pick(random, NAMES) : row.taskId,
    index: maybe(row.index, () => below(random, 9) - 4),
    order: maybe(row.order, () => below(random, 50)),
    value: encoded(row.value),
  })
  return {
    ...rows,
    newest: namespace => change(rows.newest(namespace)),
    checkpoint: (namespace, id) => change(rows.checkpoint(namespace, id)),
    writes: (namespace, id) => rows.writes(namespace, id).map(write),
    metadata: (namespace, id) => {
      const metadata = rows.metadata(namespace, id)
      return metadata && encoded(metadata)
    },
    history: namespace =>
      rows
        .history(namespace)
        .map(row => ({ ...row, parentId: row.parentId === null ? null : name(row.parentId) })),
  }
  function change<T extends { checkpoint: Encoded; metadata: Encoded }>(row: T | undefined): T | undefined {
    if (row === undefined) return undefined
    const damaged = { ...row, checkpoint: encoded(row.checkpoint), metadata: encoded(row.metadata) }
    // As PostgreSQL has it: values apart from the checkpoint.
    return random() < 0.8 ? damaged : { ...damaged, apart: [0, 1, 2].map(() => apart(row.checkpoint)) }
  }
  function apart(value: Encoded): StoredChannel {
    const type = pick(random, ['json', 'msgpack', 'empty', 'null', 'x+aes'])
    const stored = random() < 0.2 ? null : { type, bytes: damagedJson(random, value.bytes) }
    return { channel: pick(random, NAMES), type, value: stored }
  }
}

const NAMES = [
  '',
  '__error__',
  '__error_source_node__',
  '__interrupt__',
  '__resume__',
  '__return__',
  '__pregel_tasks',
  'branch:to:n2',
  'branch:to:',
  'join:+:',
  'join:a+b:n2',
  'join::x',
  '00000000-0000-0000-0000-000000000000',
  'ffffffffffffffffffffffffffffffff',
  '1f1ebf0a-aa19-62b0-8000-b97187210420',
  'a|b:c|1',
  '__proto__',
  'constructor',
]

function damagedJson(random: () => number, bytes: Uint8Array): Uint8Array {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return damagedBytes(random, Buffer.from(bytes), 10)
  }
  const replaced = JSON.stringify(parsed, (_, value: unknown) =>
    random() < 0.1 ? structuredClone(pick(random, STRANGE)) : value,
  )
  return Buffer.from(replaced ?? 'null')
}
