import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { CHECKPOINTS, makeDatabase, WRITES } from '../saver-file.js'

const driver = createRequire(import.meta.url).resolve('better-sqlite3')

const PREPARE = `
  const Database = require(process.argv[1])
  const db = new Database(process.argv[2])
`

/** What another process meets that wants to write. */
export function errorOfWriter(path: string): string {
  const script = `${PREPARE}
    db.pragma('busy_timeout = 0')
    try { db.exec('begin immediate; rollback'); console.log('none') } catch (error) { console.log(error.code) }`
  return spawnSync(process.execPath, ['-e', script, driver, path], { encoding: 'utf8' }).stdout.trim()
}

export function killInTransaction(path: string): void {
  makeDatabase(
    path,
    CHECKPOINTS,
    WRITES,
    "insert into writes values ('kept', '', 'c', 't', 0, 'log', 'json', '1')",
  )
  const script = `${PREPARE}
    db.pragma('cache_size = 1')
    db.exec('begin')
    const insert = db.prepare("insert into writes values (?, '', 'c', 't', 0, 'log', 'json', zeroblob(3000))")
    for (let i = 0; i < 2000; i++) insert.run('lost' + i)
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['-e', script, driver, path])
}

/** An agent that has checkpoints open and goes on. */
export function startAgent(path: string): Promise<ChildProcess> {
  return startWriter(
    path,
    `db.pragma('journal_mode = wal')
    db.exec(${JSON.stringify(`${CHECKPOINTS}; ${WRITES}; insert into writes values ('live', '', 'c', 't', 0, 'log', 'json', '1')`)})`,
  )
}

/** Another process that did this to the file and keeps it open, until it is ended. */
export async function startWriter(path: string, doing: string): Promise<ChildProcess> {
  const script = `${PREPARE} ${doing}; console.log('ready'); setInterval(() => {}, 1000)`
  const writer = spawn(process.execPath, ['-e', script, driver, path])
  await once(writer.stdout, 'data')
  return writer
}
