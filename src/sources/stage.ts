import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportedRecord } from '../core/imported.js'
import { interrupted } from '../core/importing/interrupted.js'
import { reasonOf, unreadable } from './unreadable.js'

/** The records of one input, read to the end before the first is stored, in a private file. */
export interface Staged {
  /** warnings are not counted: they are about records, and stand in none */
  readonly records: number
  readonly tasks: number
  /** the records from the beginning; of a task that was told of several times, the last word at its first place */
  read(): Iterable<ImportedRecord>
  discard(): void
}

export interface StageOptions {
  readonly scratchDir?: string
  /** as it may be shown: what is read */
  readonly path: string
  /** gives it up */
  readonly signal?: AbortSignal
  /** called after each record and each warning */
  readonly onProgress?: (records: number) => void
}

const BUFFER_BYTES = 1 << 18

/**
 * Reads a source to its end. A commit cannot wait for a source that reads asynchronously, and an input that turns out
 * unreadable in its middle must leave nothing: so its records wait in a file (0600) that has lost its name before the
 * first is written, and is gone however this process ends. Memory grows with the number of tasks alone.
 */
export async function stage(
  records: AsyncIterable<ImportedRecord>,
  { path, scratchDir = tmpdir(), onProgress, signal }: StageOptions,
): Promise<Staged> {
  const file = openNameless(scratchDir)
  const discard = () => closeSync(file)
  try {
    const tasks = new Map<string, Place>()
    const count = await writeAll(file, records, { path, tasks, onProgress, signal })
    return { records: count, tasks: tasks.size, read: () => readAll(file, tasks), discard }
  } catch (error) {
    discard()
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw unreadable(
        scratchDir,
        `is full (${reasonOf(error)})`,
        'Set TMPDIR to a folder with more room.',
        error,
      )
    throw error
  }
}

function openNameless(scratchDir: string): number {
  const folder = mkdtempSync(join(scratchDir, 'agent-ledger-'))
  try {
    return openSync(join(folder, 'records'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Where a line lies, in bytes. */
interface Place {
  readonly at: number
  readonly length: number
}

interface Writing extends Pick<StageOptions, 'path' | 'onProgress' | 'signal'> {
  readonly tasks: Map<string, Place>
}

/** Of a database all rows are read without waiting: a few tens of milliseconds, and signals are seen to. */
const RECORDS_A_TURN = 500

async function writeAll(
  file: number,
  records: AsyncIterable<ImportedRecord>,
  { path, tasks, onProgress, signal }: Writing,
) {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let at = 0
  let count = 0
  let seen = 0
  const flush = () => {
    writeWhole(file, Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
  }
  for await (const record of records) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    if (record.record === 'task') tasks.set(record.task_id, { at, length: line.length - 1 })
    waiting.push(line)
    waitingBytes += line.length
    at += line.length
    if (record.record !== 'warning') count += 1
    if (waitingBytes > BUFFER_BYTES) flush()
    onProgress?.(count)
    seen += 1
    if (seen % RECORDS_A_TURN === 0) await nextTurn()
    if (signal?.aborted) throw interrupted(path)
  }
  flush()
  return count
}

function* readAll(file: number, tasks: ReadonlyMap<string, Place>): Generator<ImportedRecord> {
  const told = new Set<string>()
  for (const line of linesOf(file)) {
    // written by us above, from records of this very type
    const record: ImportedRecord = JSON.parse(line)
    if (record.record !== 'task') {
      yield record
      continue
    }
    if (told.has(record.task_id)) continue
    told.add(record.task_id)
    const place = tasks.get(record.task_id)
    yield place === undefined ? record : JSON.parse(readPlace(file, place))
  }
}

function* linesOf(file: number): Generator<string> {
  const chunk = Buffer.alloc(BUFFER_BYTES)
  let rest: Buffer[] = []
  for (let at = 0; ; ) {
    const read = readSync(file, chunk, 0, chunk.length, at)
    if (read === 0) break
    at += read
    let from = 0
    for (let end = chunk.indexOf(10, from); end !== -1 && end < read; end = chunk.indexOf(10, from)) {
      const line = chunk.subarray(from, end)
      yield rest.length === 0 ? line.toString() : Buffer.concat([...rest, line]).toString()
      rest = []
      from = end + 1
    }
    if (from < read) rest.push(Buffer.from(chunk.subarray(from, read)))
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString()
}

function readPlace(file: number, { at, length }: Place): string {
  const line = Buffer.alloc(length)
  for (let read = 0; read < length; ) {
    const more = readSync(file, line, read, length - read, at + read)
    if (more === 0) throw new Error('the file of staged records was cut')
    read += more
  }
  return line.toString()
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}
