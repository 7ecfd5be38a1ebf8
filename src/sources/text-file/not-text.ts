import type { SourceFile } from '../source-file.js'

/**
 * Why a path is no text to look for JSON in, to put after the path; undefined where it may be. The pages of a database
 * hold texts, too, among them messages of a model: they are for the source that knows its tables.
 */
export function whyNotText(file: SourceFile): string | undefined {
  if (file.kind !== 'file') return 'is no plain file'
  return file.whyNotSqlite() === undefined ? 'is a SQLite database, not text' : undefined
}
