import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { text } from '../../../src/store/cells.js'
import type { Engine } from '../../../src/store/engine.js'
import { query } from '../../../src/store/engine.js'
import { newLedgerFile } from '../../../src/store/sqlite/new.js'
import { openForWriting } from '../../../src/store/sqlite/open.js'
import { openForReading } from '../../../src/store/sqlite/reading.js'
import { NOON, stampAt } from '../../core/builders.js'
import { aDirectory, aDirectoryIn } from './places.js'

/** A new ledger in a directory of its own, closed. */
export function aLedger({ directory = aDirectoryIn(aDirectory(), 'home') } = {}) {
  const path = `${directory}/ledger.db`
  newLedgerFile({ path, now: stampAt(NOON), program: 'a test' })
  return { path, directory }
}

export async function writing(path: string, waitMs = 2_000): Promise<Engine> {
  return closedAfterwards(await openForWriting({ path, waitMs }))
}

export async function reading(path: string, waitMs = 2_000): Promise<Engine> {
  return closedAfterwards(await openForReading({ path, waitMs }))
}

function closedAfterwards(engine: Engine): Engine {
  onTestFinished(() => engine.close())
  return engine
}

/** Adds a task row by hand: something that a reader must then see. */
export function addTask(taskId: string) {
  return () =>
    query(
      `insert into ledger_task (task_id, status, links, labels, epoch, version, created_at, updated_at)
       values ($1, 'running', '[]', '{}', 1, 1, 1, 1)`,
      [taskId],
    )
}

export async function taskIds(engine: Engine): Promise<unknown[]> {
  const rows = await engine.read(() => query('select task_id from ledger_task order by seq'))
  return rows.map(row => text(row, 'task_id'))
}

/** Changes a closed ledger the way another program would, with nothing of ours in between. */
export function tamper(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

const PROGRAM = fileURLToPath(new URL('./child.ts', import.meta.url))

/**
 * A process of its own that opens the ledger, does what its role says, prints `ready`, and then stays until
 * it is killed with SIGKILL.
 */
export async function aProcess(role: string, path: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, role, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(kill)
  let said = ''
  child.stdout.on('data', data => {
    said += String(data)
  })
  const exit = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), failed(child)])
  return {
    kill,
    /** all that it printed so far */
    said: () => said,
    /** all that it printed, once it ended by itself */
    ended: async () => {
      await exit
      return said
    },
  }
}

async function failed(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  if (code === 0) return new Promise(() => undefined) // it had nothing to wait for
  throw new Error(`the process ended before it was ready (${code ?? signal})`)
}
