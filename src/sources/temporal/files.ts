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
export function inputFiles({ path, kind }: SourceFile): InputFile[] {
  if (kind === 'file') return [{ path, name: '' }]
  if (kind === 'other')
    throw unreadable(
      path,
      'is not a plain file (a pipe, socket or device)',
      'Copy its content to a file first.',
    )
  const names = namesIn(path).filter(name => JSON_FILE.test(name))
  const files = names.flatMap(name => {
    const file = join(path, name)
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? [{ path: file, name }] : []
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
