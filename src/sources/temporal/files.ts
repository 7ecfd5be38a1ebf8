import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from '../source-file.js'
import { reasonOf, unreadable } from '../unreadable.js'
import type { InputFile } from './entries.js'

const JSON_FILE = /\.(?:json|jsonl|ndjson)$/i

/**
 * The files to read together: the file itself, or those in a folder, where a history and its describe answer, or the runs
 * of one workflow, lie side by side. Throws `ledger_unreadable`.
 */
export function inputFiles(file: SourceFile): InputFile[] {
  const { path, kind } = file
  // Reading a database here as a file would, on closing it, take the locks of whoever has it open in this process.
  if (kind === 'file' && file.whyNotSqlite() === undefined)
    throw unreadable(path, 'is a SQLite database, not a history', 'Name the JSON that holds the history.')
  if (kind === 'file') return [{ path, name: '' }]
  if (kind === 'other')
    throw unreadable(
      path,
      'is not a plain file (a pipe, socket or device)',
      'Copy its content to a file first.',
    )
  const names = namesIn(path).filter(name => JSON_FILE.test(name))
  const files = names.flatMap(name => {
    const one = join(path, name)
    return statSync(one, { throwIfNoEntry: false })?.isFile() ? [{ path: one, name }] : []
  })
  if (files.length > 0) return files
  throw unreadable(path, 'has no .json or .jsonl file', 'Name a file, or the folder that histories lie in.')
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch (cause) {
    throw unreadable(
      path,
      `cannot be read (${reasonOf(cause)})`,
      'Check the permissions of the folder.',
      cause,
    )
  }
}

/** Changes whenever one of the files does. */
export function stateOf(files: readonly InputFile[]): string {
  return files
    .map(({ path }) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${found?.ino} ${found?.size} ${found?.mtimeMs}`
    })
    .join('\n')
}
