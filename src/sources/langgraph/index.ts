import type { CheckpointWarning } from '../../core/checkpoint.js'
import { didYouMean } from '../../core/did-you-mean.js'
import { LedgerError } from '../../core/errors.js'
import type { ImportedRecord } from '../../core/imported.js'
import { MOST_THREADS } from '../most-threads.js'
import type { CheckpointReading, Detection, ReadOptions, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import type { SqliteFile } from '../sqlite-file/open.js'
import { isPostgres } from './postgres/address.js'
import { whyNotSaverTables } from './saver-schema.js'
import { openSaverTables } from './tables.js'
import { loadXxh128 } from './task-ids.js'
import { lostThread, readThread, type ThreadReading } from './thread.js'
import { warning } from './warnings.js'

/**
 * The savers of LangGraph: SqliteSaver and AsyncSqliteSaver (one file format in JavaScript and Python), and PostgresSaver of
 * both languages by the address of its server.
 */
export const langgraph: Source = {
  id: 'langgraph',
  title: 'LangGraph checkpoints in SQLite or PostgreSQL',
  detect,
  read,
  records,
}

// "ALDG", as the ledger's own store marks its files.
const LEDGER_APPLICATION_ID = 0x414c4447

function detect(file: SourceFile): Detection {
  if (file.url !== undefined) return detectAddress(file.url)
  const whyNot = file.whyNotSqlite()
  if (whyNot !== undefined) return { matches: false, why: whyNot }
  const opened = file.sqlite()
  const { applicationId } = opened.header
  if (applicationId === LEDGER_APPLICATION_ID)
    return { matches: false, why: 'is a ledger of agent-ledger, not a checkpoint: name it with --ledger' }
  if (applicationId !== 0)
    return {
      matches: false,
      why: `belongs to another application (application id 0x${applicationId.toString(16).padStart(8, '0')})`,
    }
  const why = whyNotSaverTables(opened)
  return why === undefined
    ? { matches: true, why: 'has the tables checkpoints and writes of a LangGraph saver' }
    : { matches: false, why }
}

// Which tables lie there is known once somebody connects; no other source has an address of this kind.
function detectAddress(url: string): Detection {
  return isPostgres(url)
    ? { matches: true, why: 'is the address of a PostgreSQL server, where PostgresSaver keeps its tables' }
    : { matches: false, why: 'is an address, and not one of PostgreSQL' }
}

async function read(file: SourceFile, options: ReadOptions): Promise<CheckpointReading> {
  const { readings, leftOut } =
    file.url === undefined ? await readFile(file, options) : await readServer(file, file.url, options)
  const languages = new Set(
    readings.map(({ language }) => language).filter(language => language !== 'unknown'),
  )
  return {
    document: {
      source: 'langgraph',
      language: languages.size > 1 ? 'mixed' : ([...languages][0] ?? 'unknown'),
      saver: file.url === undefined ? 'sqlite' : 'postgresql',
      threads: readings.map(({ thread }) => thread),
      left_out: leftOut,
    },
    taskIds: new Map(readings.map(({ thread, taskIds }) => [thread.thread_id, taskIds])),
  }
}

interface Readings {
  readonly readings: readonly ThreadReading[]
  /** threads that are too many to be read */
  readonly leftOut: number
}

async function readFile(file: SourceFile, { threadId, nodeNames = [] }: ReadOptions): Promise<Readings> {
  const opened = file.sqlite()
  const tables = openSaverTables(file.path, opened)
  const xxh128 = await loadXxh128()
  const fileWarnings = warningsOf(opened)
  const { wanted, leftOut } = wantedOf(threadId === undefined ? tables.threadIds() : [threadId])
  const readings = wanted.map(id => {
    const rows = tables.thread(id)
    if (rows) return readThread(rows, { xxh128, nodeNames, fileWarnings })
    if (threadId !== undefined) throw noSuchThread(file.path, id, tables.threadIds())
    return lostThread(id, fileWarnings)
  })
  return { readings, leftOut }
}

function wantedOf(ids: Iterable<string>): { readonly wanted: readonly string[]; readonly leftOut: number } {
  const wanted: string[] = []
  let leftOut = 0
  for (const id of ids) {
    if (wanted.length < MOST_THREADS) wanted.push(id)
    else leftOut += 1
  }
  return { wanted, leftOut }
}

async function readServer(
  file: SourceFile,
  url: string,
  { threadId, nodeNames = [] }: ReadOptions,
): Promise<Readings> {
  const xxh128 = await loadXxh128()
  const { openPostgresThreads } = await import('./postgres/read.js')
  const threads = await openPostgresThreads(url, { isWhole: false })
  try {
    const request = { xxh128, nodeNames, fileWarnings: threads.warnings }
    const readings: ThreadReading[] = []
    const { wanted, leftOut } = wantedOf(threadId === undefined ? await threads.ids() : [threadId])
    for (const id of wanted) {
      const reading = await threads.read(id, rows => readThread(rows, request))
      if (reading === undefined) throw noSuchThread(file.path, id, await threads.ids())
      readings.push(reading)
    }
    return { readings, leftOut }
  } finally {
    await threads.close()
  }
}

/** One thread after the other, each whole in memory. */
async function* records(file: SourceFile, options: ReadOptions): AsyncGenerator<ImportedRecord> {
  const { threadRecords } = await import('./records/index.js')
  const { threadId, nodeNames = [] } = options
  const xxh128 = await loadXxh128()
  if (file.url === undefined) {
    const opened = file.sqlite()
    const tables = openSaverTables(file.path, opened)
    const request = { xxh128, nodeNames, fileWarnings: warningsOf(opened) }
    for (const id of threadId === undefined ? tables.threadIds() : [threadId]) {
      const rows = tables.thread(id)
      if (rows) yield* threadRecords(rows, request, file.path)
      else if (threadId !== undefined) throw noSuchThread(file.path, id, tables.threadIds())
      else yield lostRecord(id)
    }
    return
  }
  const { openPostgresThreads } = await import('./postgres/read.js')
  const threads = await openPostgresThreads(file.url, { isWhole: true })
  try {
    const request = { xxh128, nodeNames, fileWarnings: threads.warnings }
    for (const id of threadId === undefined ? await threads.ids() : [threadId]) {
      const found = await threads.read(id, rows => threadRecords(rows, request, file.path))
      if (found === undefined) throw noSuchThread(file.path, id, await threads.ids())
      yield* found
    }
  } finally {
    await threads.close()
  }
}

function lostRecord(threadId: string): ImportedRecord {
  const { thread } = lostThread(threadId, [])
  const [{ code, message } = { code: 'checkpoint_unreadable', message: 'damaged' }] = thread.warnings
  return { record: 'warning', code, message, where: threadId }
}

function warningsOf({ wal, isLive }: SqliteFile): CheckpointWarning[] {
  if (isLive) return [warning('file_in_use', 'another process has the file open: this is one moment’s view')]
  if (wal === 'left')
    return [
      warning(
        'unclean_close',
        'a process ended without closing the file; its -wal was read along, and left as it was',
      ),
    ]
  if (wal === 'missing')
    return [
      warning(
        'wal_missing',
        'no -wal lies beside the file: usual after a clean close; if the process crashed, the newest rows are missing here',
      ),
    ]
  return []
}

function noSuchThread(path: string, threadId: string, others: Iterable<string>): LedgerError {
  const meant = didYouMean(threadId, others)
  return new LedgerError('not_found', `${path} has no thread ${threadId}${meant}`, {
    id: threadId,
    path,
    hint: 'Leave --thread out to see all threads in there.',
  })
}
