import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Binaries, findBinaries } from './binaries.js'

/** A PostgreSQL server of a test's own, on a Unix socket: no port, no clash with another. */
export interface PostgresServer {
  /** where its socket lies: the `host` of a connection */
  readonly socketFolder: string
  /** the connection string of a database in it; `postgres` unless named */
  url(database?: string): string
  /** Makes an empty database with a name of its own; its connection string. */
  createDatabase(): Promise<string>
  /** Ends every process of it by SIGKILL, as a power cut would. Its files stay. */
  kill(): Promise<void>
  /** Starts it again on the same files, after `kill` or `stop`. */
  start(): Promise<void>
  /**
   * Another server on a copy of its files that follows it: a standby, which only reads until it is promoted. It is stopped
   * and started for the copy.
   */
  standby(): Promise<PostgresServer>
  /** Of a standby: makes it a server of its own, on a timeline of its own. */
  promote(): Promise<void>
  /** Ends it in order. Its files stay. */
  stop(): Promise<void>
  /** Ends it and removes its files. */
  remove(): Promise<void>
  /** what it wrote to its log */
  log(): string
}

export interface ServerOptions {
  /** its user `ledger` has to give this one; without it everybody is let in */
  readonly password?: string
  /** settings of postgresql.conf by name: `{ max_connections: '20' }` */
  readonly settings?: Readonly<Record<string, string>>
}

const READY_WITHIN_MS = 300_000
const STARTS = 100
const BETWEEN_STARTS_MS = 200

/**
 * Makes the files of a new server and starts it: under a second. Once for each test file, and `remove()` in its
 * `afterAll`. The user is `ledger`.
 */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  // Short: the name of a socket may have 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    chmodSync(folder, 0o755)
    const binaries = findBinaries(folder)
    const places = placesIn(folder, binaries)
    makeFiles(binaries, places.data, folder, options.password)
    const server = serverOn(binaries, places, options)
    await server.start()
    return server
  } catch (error) {
    removeFolder()
    throw error
  }
}

function placesIn(folder: string, { user }: Binaries): Places {
  chmodSync(folder, 0o755)
  const [data, socketFolder] = [join(folder, 'data'), join(folder, 's')]
  for (const path of [data, socketFolder]) {
    mkdirSync(path, { mode: path === data ? 0o700 : 0o755 })
    if (user) chownSync(path, user.uid, user.gid)
  }
  return { folder, data, socketFolder }
}

function treeOf(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  ]
}

function makeFiles(binaries: Binaries, data: string, folder: string, password: string | undefined): void {
  const secret = join(folder, 'password')
  if (password !== undefined) writeFileSync(secret, `${password}\n`, { mode: 0o644 })
  const access = password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${secret}`]
  const made = spawnSync(
    binaries.initdb,
    ['-D', data, '-U', 'ledger', ...access, '--locale=C', '--encoding=UTF8', '--no-sync'],
    { cwd: folder, env: binaries.env, ...binaries.user, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
}

interface Places {
  readonly folder: string
  readonly data: string
  readonly socketFolder: string
}

function serverOn(binaries: Binaries, places: Places, options: ServerOptions): PostgresServer {
  const { folder, data, socketFolder } = places
  let child: ChildProcess | undefined
  let log = ''
  let databases = 0

  const url = (database = 'postgres') => {
    const who = options.password === undefined ? 'ledger' : `ledger:${encodeURIComponent(options.password)}`
    const { port } = options.settings ?? {}
    return `postgresql://${who}@/${database}?host=${encodeURIComponent(socketFolder)}${port === undefined ? '' : `&port=${port}`}`
  }

  // The processes of a server that was killed let go of its memory one after the other, and it does not start before.
  const start = async () => {
    for (let attempt = 1; ; attempt++) {
      const before = log.length
      try {
        return await startOnce()
      } catch (error) {
        process.removeListener('exit', endAtOnce)
        if (attempt === STARTS || !/still in use|lock file/.test(log.slice(before))) throw error
        await sleep(BETWEEN_STARTS_MS)
      }
    }
  }

  const startOnce = async () => {
    const settings = Object.entries({ listen_addresses: '', ...options.settings })
    const started = spawn(
      binaries.postgres,
      ['-D', data, '-k', socketFolder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { cwd: folder, env: binaries.env, ...binaries.user, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    child = started
    started.stderr.setEncoding('utf8').on('data', text => {
      log += text
    })
    // A test that was given up leaves nothing running.
    process.once('exit', endAtOnce)
    await ready(url(), started, () => log)
  }

  const endAtOnce = () => {
    for (const pid of child?.pid === undefined ? [] : familyOf(child.pid)) signal(pid, 'SIGKILL')
  }

  const end = async (how: () => void) => {
    const running = child
    if (running === undefined) return
    const ended = running.exitCode === null && running.signalCode === null ? once(running, 'exit') : undefined
    how()
    await ended
    child = undefined
    process.removeListener('exit', endAtOnce)
  }

  // SIGINT is its "fast" shutdown: connections are cut, what was committed is written.
  const stop = () => end(() => child?.kill('SIGINT'))

  return {
    socketFolder,
    url,
    async createDatabase() {
      const name = `test_${process.pid}_${databases++}`
      await withClient(url(), client => client.query(`create database ${name}`))
      return url(name)
    },
    kill: () => end(endAtOnce),
    start,
    stop,
    async standby() {
      await stop()
      const copy = placesIn(mkdtempSync(join(tmpdir(), 'pg-')), binaries)
      rmSync(copy.data, { recursive: true })
      cpSync(data, copy.data, { recursive: true, preserveTimestamps: true })
      writeFileSync(join(copy.data, 'standby.signal'), '')
      for (const path of treeOf(copy.data))
        if (binaries.user) chownSync(path, binaries.user.uid, binaries.user.gid)
      await start()
      const follows = {
        ...options.settings,
        primary_conninfo: `host=${socketFolder} user=ledger`,
        hot_standby: 'on',
      }
      const follower = serverOn(binaries, copy, { ...options, settings: follows })
      await follower.start()
      return follower
    },
    promote: () =>
      withClient(url(), async client => void (await client.query('select pg_promote(true, 60)'))),
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
    log: () => log,
  }
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL ended while it started: ${log()}`)
    try {
      return await withClient(url, async () => undefined)
    } catch (error) {
      if (Date.now() > until) throw new Error(`PostgreSQL did not answer: ${log()}`, { cause: error })
      await sleep(20)
    }
  }
}

/** Runs `work` on a connection of its own, which is closed again. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  // The server may be killed under it: the query then says so.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The server's process first, then those it started. */
function familyOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' })
  const pairs = listed.split('\n').map(line => line.trim().split(/\s+/).map(Number))
  return [pid, ...pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []))]
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it ended by itself
  }
}
