import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveDocument } from '../../../src/core/documents/resolve-schema.js'
import { openStore, openStoreForReading } from '../../../src/store/open.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { bundled } from '../../support/bundled.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))
const AGENT = bundled(join(import.meta.dirname, 'agent-program.ts'))
const HOUR = 3_600_000
const QUIET = { AGENT_LEDGER: undefined, AGENT_LEDGER_BY: undefined, CI: undefined }

const cli = (argv: readonly string[], cwd = '/') =>
  execa(process.execPath, [...PROGRAM.argv, ...argv], {
    reject: false,
    cwd,
    env: { ...PROGRAM.env, ...QUIET },
  })

const seen = ['--as', 'confirmed', '--evidence', 'https://tickets/T-1', '--reason', 'it is there', '--yes']

/** A ledger with `count` lost operations, closed by this process: others work on it from here on. */
async function lost(count = 1) {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  for (let n = 1; n <= count; n++) await ledger.lost({ operation_id: `ticket-${n}`, input: { n } })
  await ledger.store.close()
  return ledger.path
}

async function operation(path: string, id = 'ticket-1') {
  const store = await openStoreForReading({ url: path })
  try {
    return await store.operation(id)
  } finally {
    await store.close()
  }
}

/** Holds the ledger's write lock until it is let go. */
function locked(path: string): () => void {
  const database = new Database(path)
  database.exec('begin immediate')
  let isHeld = true
  const release = () => {
    if (!isHeld) return
    isHeld = false
    database.exec('rollback')
    database.close()
  }
  onTestFinished(release)
  return release
}

/** Waits until so many processes have the ledger open; Linux lists their locks on its shared memory. */
async function haveItOpen(path: string, count: number): Promise<void> {
  const inode = `:${statSync(`${path}-shm`).ino}`
  for (;;) {
    const lines = readFileSync('/proc/locks', 'utf8').split('\n')
    const pids = lines.filter(line => line.includes(`${inode} `)).map(line => line.trim().split(/\s+/)[4])
    if (new Set(pids).size >= count) return
    await sleep(20)
  }
}

describe('two operators at the same moment', () => {
  it.each([1, 2, 3])('decide once: one wins, the other ends with 5 and sees who (round %i)', async () => {
    const path = await lost()
    const release = locked(path)
    const ana = cli(['resolve', 'ticket-1', ...seen, '--ledger', path, '--by', 'ana', '--json'])
    const bo = cli([
      'abandon',
      'ticket-1',
      '--reason',
      'nobody knows',
      '--yes',
      '--ledger',
      path,
      '--by',
      'bo',
      '--json',
    ])
    await haveItOpen(path, 3)
    await sleep(100)
    release()
    const ends = await Promise.all([ana, bo])
    const winner = ends.findIndex(({ exitCode }) => exitCode === 0)
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 5])
    const loser = ends[1 - winner]
    expect(JSON.parse(loser?.stderr ?? '')).toMatchObject({
      code: 'conflict',
      facts: { by: winner === 0 ? 'flag:ana' : 'flag:bo' },
    })
    const record = await operation(path)
    expect(record?.operation).toMatchObject({ status: winner === 0 ? 'confirmed' : 'abandoned', version: 4 })
  })
})

describe('a locked ledger', () => {
  it('is waited for', async () => {
    const path = await lost()
    const release = locked(path)
    const deciding = cli(['resolve', 'ticket-1', ...seen, '--ledger', path])
    await haveItOpen(path, 2)
    release()
    expect((await deciding).exitCode).toBe(0)
  })

  it('past --wait ends with 8, names the file, and nothing is written', async () => {
    const path = await lost()
    const release = locked(path)
    const { exitCode, stderr } = await cli([
      'resolve',
      'ticket-1',
      ...seen,
      '--ledger',
      path,
      '--wait',
      '300ms',
      '--json',
    ])
    expect(exitCode).toBe(8)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'busy', path })
    release()
    expect((await operation(path))?.operation.version).toBe(3)
  })
})

describe('a takeover while the agent runs', () => {
  it('lets it send nothing more, and keeps its late result as evidence', async () => {
    const path = join(aDirectory(), 'ledger.db')
    const agent = spawn(process.execPath, [...AGENT.argv, path], {
      env: { ...process.env, ...AGENT.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void agent.kill('SIGKILL'))
    let said = ''
    agent.stdout.on('data', chunk => {
      said += String(chunk)
    })
    while (!said.includes('sending')) await once(agent.stdout, 'data')

    const argv = [
      'task-1',
      '--reason',
      'it opens the wrong tickets',
      '--yes',
      '--ledger',
      path,
      '--by',
      'ana',
    ]
    const taken = await cli(['takeover', ...argv])
    expect(taken.exitCode).toBe(0)
    expect(taken.stdout).toContain('first: now unknown')
    expect(taken.stdout).toContain('! bytes of first (attempt 1) may still leave until')
    expect((await operation(path, 'first'))?.operation.status).toBe('unknown')

    agent.stdin.write('go\n')
    await once(agent, 'close')
    const { second, sent } = JSON.parse(said.split('\n')[1] ?? '')
    expect(sent).toBe(false)
    expect(second).toMatchObject({ status: 'waiting', for: 'person' })
    const first = await operation(path, 'first')
    expect(first?.operation).toMatchObject({ status: 'confirmed', settled_by: 'receipt' })
    expect(first?.evidence.map(({ kind }) => kind)).toContain('late_result')
    const store = await openStore({
      url: path,
      clock: () => ({ at: Date.now(), boot_id: '', boot_ms: 0 }),
      program: 'test',
    })
    onTestFinished(() => store.close())
    expect((await store.verify()).findings).toEqual([])
    expect((await store.operation('second'))?.operation).toMatchObject({ status: 'prepared', attempt: 0 })
  })
})

describe('a file of decisions that is interrupted', () => {
  it('by SIGKILL is carried out to its end by the next run, each decision once', async () => {
    const count = 60
    const path = await lost(count)
    const folder = aDirectory()
    const entry = (n: number) =>
      `{"operation_id": "ticket-${n}", "as": "confirmed", "evidence": "x", "reason": "y"}`
    writeFileSync(join(folder, 'd.jsonl'), Array.from({ length: count }, (_, i) => entry(i + 1)).join('\n'))
    const argv = ['resolve', '--file', 'd.jsonl', '--yes', '--jsonl', '--ledger', path]
    const first = spawn(process.execPath, [...PROGRAM.argv, ...argv], {
      cwd: folder,
      env: { ...process.env, ...PROGRAM.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    first.stdout.on('data', chunk => {
      out += String(chunk)
      if (out.split('\n').length > 10) first.kill('SIGKILL')
    })
    await once(first, 'close')
    const told = out.split('\n').length - 1
    expect(told).toBeGreaterThanOrEqual(10)

    const second = await cli(argv, folder)
    expect(second.exitCode).toBe(0)
    const outcomes = second.stdout.split('\n').map(line => resolveDocument.parse(JSON.parse(line)).outcome)
    expect(outcomes).toHaveLength(count)
    const already = outcomes.filter(outcome => outcome === 'already').length
    expect(already).toBeGreaterThanOrEqual(Math.min(told, count))
    expect(outcomes.slice(already).every(outcome => outcome === 'done')).toBe(true)

    const store = await openStoreForReading({ url: path })
    onTestFinished(() => store.close())
    expect(await store.events({ type: 'resolve_confirmed', limit: 1000 })).toHaveLength(count)
    expect((await store.verify()).findings).toEqual([])
  })
})
