import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

// The tables as @langchain/langgraph-checkpoint-sqlite 1.0.4 creates them.
export const CHECKPOINTS = `create table checkpoints (
  thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
  parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))`
export const WRITES = `create table writes (
  thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL,
  idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))`

export interface Scratch {
  /** holds the database, alone */
  readonly folder: string
  /** where snapshots are put */
  readonly scratchDir: string
  readonly path: string
  remove(): void
}

export function createScratch(): Scratch {
  const root = mkdtempSync(join(tmpdir(), 'sqlite-file-test-'))
  const folder = mkdtempSync(join(root, 'data-'))
  const scratchDir = mkdtempSync(join(root, 'scratch-'))
  return {
    folder,
    scratchDir,
    path: join(folder, 'checkpoints.sqlite'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** A database made by these statements, closed again. */
export function makeDatabase(path: string, ...statements: readonly string[]): void {
  const db = new Database(path)
  try {
    for (const statement of statements) db.exec(statement)
  } finally {
    db.close()
  }
}

export function fixture(name: string): string {
  return join(import.meta.dirname, '../../fixtures/langgraph', name, 'checkpoints.sqlite')
}

export function copyFixture(name: string, path: string): void {
  copyFileSync(fixture(name), path)
}
