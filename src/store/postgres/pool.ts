import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { LedgerError } from '../../core/errors.js'
import { isServerBusy } from './errors.js'
import type { PostgresPlace, SslMode } from './place.js'

/** One connection, and what is behind it. */
export interface Session {
  readonly client: Client
  /** false once it failed: it is not used again */
  isUsable: boolean
  /**
   * Something stands between us and the server and gives each transaction another of the server's processes: nothing may
   * be kept from one to the next, neither settings nor named statements.
   */
  readonly isPooled: boolean
}

export interface Pool {
  /** A connection for one transaction. Rejects with `busy` where none was free in time, or as connecting does. */
  take(): Promise<Session>
  give(session: Session): void
  close(): Promise<void>
}

export interface PoolOptions {
  readonly place: PostgresPlace
  /** how long to wait for a free one, and for the server to take us in */
  readonly waitMs: number
  /** run once on each new connection */
  readonly greet: (session: Session) => Promise<void>
}

/** Whether its connection keeps the program from ending. The types of the driver leave these two methods out. */
export function hold({ client }: Session, isHeld: boolean): void {
  const connection = client as Client & { ref(): void; unref(): void }
  if (isHeld) connection.ref()
  else connection.unref()
}

/** At most so many connections as the place names, made when they are wanted and kept. */
export function poolOf(options: PoolOptions): Pool {
  const { place, waitMs } = options
  const idle: Session[] = []
  const waiting: ((session: Session | null) => void)[] = []
  const all = new Set<Session>()
  let making = 0
  let isClosed = false

  return { take, give, close }

  async function take(): Promise<Session> {
    if (isClosed) throw closedError(place)
    const free = idle.pop()
    if (free?.isUsable) return held(free)
    if (free !== undefined) return take()
    if (all.size + making < place.connections) return make()
    const session = await nextFree()
    return session === null ? take() : held(session)
  }

  async function make(): Promise<Session> {
    making += 1
    try {
      const session = await connected(options)
      all.add(session)
      session.client.on('end', () => forget(session))
      return session
    } finally {
      making -= 1
      // Whoever waits may try to make one where this one failed.
      waiting.shift()?.(null)
    }
  }

  function nextFree(): Promise<Session | null> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(got), 1)
        reject(stillTaken(place, waitMs))
      }, waitMs)
      const got = (session: Session | null) => {
        clearTimeout(timer)
        resolve(session)
      }
      waiting.push(got)
    })
  }

  function give(session: Session): void {
    if (!session.isUsable || isClosed) {
      forget(session)
      void session.client.end().catch(() => undefined)
      waiting.shift()?.(null)
      return
    }
    const next = waiting.shift()
    if (next !== undefined) {
      next(session)
      return
    }
    // A program that has done its work ends, though its ledger is open still.
    hold(session, false)
    idle.push(session)
  }

  function held(session: Session): Session {
    hold(session, true)
    return session
  }

  function forget(session: Session): void {
    session.isUsable = false
    all.delete(session)
    const place = idle.indexOf(session)
    if (place >= 0) idle.splice(place, 1)
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const next of waiting.splice(0)) next(null)
    // Whoever waits for the end is not left without one: what nothing keeps running is not waited for.
    for (const session of all) hold(session, true)
    const ended = [...all].map(({ client }) => client.end().catch(() => undefined))
    await Promise.all(ended)
  }
}

async function connected(options: PoolOptions): Promise<Session> {
  const { place, waitMs, greet } = options
  const patience = AbortSignal.timeout(Math.max(1, waitMs))
  for (;;) {
    try {
      return await greeted(await clientOf(place, waitMs), greet)
    } catch (error) {
      if (!isServerBusy(error) || patience.aborted) throw error
      await sleep(50 + Math.random() * 100)
    }
  }
}

async function greeted(client: Client, greet: PoolOptions['greet']): Promise<Session> {
  try {
    const session: Session = { client, isUsable: true, isPooled: await isPooled(client) }
    client.on('error', () => {
      session.isUsable = false
    })
    await greet(session)
    return session
  } catch (error) {
    // Nobody else knows of it, and an open connection keeps the program from ending.
    void client.end().catch(() => undefined)
    throw error
  }
}

/** A connection that hears what is told on a channel. Rejects where nothing would ever come: behind a pooler, on a replica. */
export async function listening(
  place: PostgresPlace,
  waitMs: number,
  channel: string,
  heard: () => void,
): Promise<Session> {
  const client = await clientOf(place, waitMs)
  const session: Session = { client, isUsable: true, isPooled: await isPooled(client) }
  const lost = () => {
    session.isUsable = false
  }
  client.on('error', lost).on('end', lost).on('notification', heard)
  try {
    if (session.isPooled) throw new Error('a pooler hands no notifications on')
    await client.query(`listen ${channel}`)
    return session
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

async function clientOf(place: PostgresPlace, waitMs: number): Promise<Client> {
  const [first, second] = WAYS[isLocal(place) && place.ssl === 'prefer' ? 'disable' : place.ssl]
  try {
    return await connect(place, waitMs, first)
  } catch (error) {
    const isRefused = error instanceof Error && /does not support SSL/.test(error.message)
    if (second === undefined || !isRefused) throw error
    return connect(place, waitMs, second)
  }
}

type Way = 'plain' | 'encrypted' | 'signed' | 'named'

/** What each mode tries, and then where the server speaks no TLS. */
const WAYS: Readonly<Record<SslMode, readonly [Way, Way?]>> = {
  disable: ['plain'],
  prefer: ['encrypted', 'plain'],
  require: ['encrypted'],
  'verify-ca': ['signed'],
  'verify-full': ['named'],
}

/** A socket of this machine carries nothing over a network. */
function isLocal({ host }: PostgresPlace): boolean {
  return host?.startsWith('/') === true
}

async function connect(place: PostgresPlace, waitMs: number, way: Way): Promise<Client> {
  const client = new Client({
    ...given('host', place.host),
    ...given('port', place.port),
    ...given('user', place.user),
    ...given('password', place.password),
    ...given('database', place.database),
    application_name: place.applicationName ?? 'agent-ledger',
    connectionTimeoutMillis: place.connectTimeoutMs ?? Math.max(1_000, waitMs),
    keepAlive: true,
    ssl: way === 'plain' ? false : sslOf(place, way),
  })
  // Until somebody listens an error of an idle connection would end the program.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

function given<K extends keyof ClientConfig>(name: K, value: ClientConfig[K] | undefined): ClientConfig {
  return value === undefined ? {} : { [name]: value }
}

function sslOf({ sslFiles, shown }: PostgresPlace, way: Exclude<Way, 'plain'>) {
  const { ca, cert, key } = sslFiles
  return {
    rejectUnauthorized: way !== 'encrypted',
    ...(ca === undefined ? {} : { ca: fileOf(ca, shown) }),
    ...(cert === undefined ? {} : { cert: fileOf(cert, shown) }),
    ...(key === undefined ? {} : { key: fileOf(key, shown) }),
    // verify-ca: who signed it counts, and not the name in it
    ...(way === 'signed' ? { checkServerIdentity: () => undefined } : {}),
  }
}

function fileOf(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new LedgerError('usage', `${shown}: ${path} cannot be read`, {
      path,
      hint: 'Correct sslrootcert=, sslcert= or sslkey= of the URL, or let this user read the file.',
      cause,
    })
  }
}

/**
 * A pooler tells the client a process number of its own making, for it has no process of the server to give; the
 * server's own shows behind it.
 */
async function isPooled(client: Client): Promise<boolean> {
  const { rows } = await client.query<[number]>({ text: 'select pg_backend_pid()', rowMode: 'array' })
  // The types of the driver leave out the number that the server gave at the start.
  const told: unknown = Reflect.get(client, 'processID')
  return rows[0]?.[0] !== told
}

function stillTaken({ shown, connections }: PostgresPlace, waitMs: number): LedgerError {
  return new LedgerError(
    'busy',
    `${shown}: all ${connections} connections of this process stayed in use for ${waitMs} ms; nothing was written`,
    { path: shown, facts: { commit: 'none' } },
  )
}

export function closedError({ shown }: PostgresPlace): LedgerError {
  return new LedgerError('ledger_unwritable', `${shown} was closed by this program`, {
    path: shown,
    hint: 'Open the ledger again.',
    facts: { commit: 'none', closed: true },
  })
}
