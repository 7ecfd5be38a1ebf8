import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { bundled } from '../../support/bundled.js'
import { runCli } from '../fake-io.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))

/** A command that goes on, as a process whose stdout is a pipe. */
function going(argv: readonly string[]) {
  const child = spawn(process.execPath, [...PROGRAM.argv, ...argv], {
    env: { ...process.env, ...PROGRAM.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  /** Comes back once this was said on stderr since the last time it was asked. */
  let heard = 0
  const said = async (what: string) => {
    while (!errors.slice(heard).includes(what)) {
      if (child.exitCode !== null) throw new Error(`it ended without saying "${what}": ${errors}`)
      await Promise.race([once(child.stderr, 'data'), ended])
    }
    heard = errors.indexOf(what, heard) + what.length
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  return { child, next, ended, said, errors: () => errors }
}

describe('a command that goes on', () => {
  it('log --follow --jsonl prints each event once, those of another process as they come, until it is interrupted', async () => {
    const { path, prepared, lost } = await aLedger()
    await prepared({ operation_id: 'op-1' })
    const log = going(['log', '--follow', '--jsonl', '--ledger', path])
    const first = [await log.next(), await log.next(), await log.next()]
    expect(first.map(({ type }) => type)).toEqual(['created', 'open', 'prepare'])
    await lost({ operation_id: 'op-2', input: 2 })
    const later = [await log.next(), await log.next(), await log.next()]
    expect(later).toMatchObject([
      { type: 'prepare', subject_id: 'op-2' },
      { type: 'send', subject_id: 'op-2' },
      { type: 'lose', subject_id: 'op-2' },
    ])
    log.child.kill('SIGINT')
    expect(await log.ended).toBe(130)
    expect(log.errors()).toBe('')
  })

  it('status --watch --jsonl prints a document when something changed, until it is terminated', async () => {
    const { path, lost } = await aLedger()
    const watch = going(['status', '--watch', '--jsonl', '--ledger', path])
    expect(await watch.next()).toMatchObject({ in_doubt: { count: 0 } })
    await lost()
    expect(await watch.next()).toMatchObject({ in_doubt: { count: 1 } })
    watch.child.kill('SIGTERM')
    expect(await watch.ended).toBe(143)
  })

  it.each([
    ['log', '--follow', '--jsonl'],
    ['status', '--watch', '--jsonl'],
  ])('%s %s ends quietly when nobody reads any more', async (...argv) => {
    const { path, lost, prepared } = await aLedger()
    await prepared({ operation_id: 'op-1' })
    const reader = going([...argv, '--ledger', path])
    await reader.next()
    reader.child.stdout.destroy()
    await lost({ operation_id: 'op-2', input: 2 })
    expect(await reader.ended).toBe(0)
    expect(reader.errors()).not.toMatch(/error|EPIPE/)
  })
})

/** The file alone, and what SQLite keeps beside it with it: as a person puts a backup in the place of a ledger. */
function putInPlace(from: string, path: string) {
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  renameSync(from, path)
}

describe('a ledger that goes away under a command that goes on', () => {
  it('is waited for by log --follow, which says so once and misses nothing', async () => {
    const { path, prepared } = await aLedger()
    await prepared({ operation_id: 'op-1' })
    const log = going(['log', 'op-1', '--follow', '--jsonl', '--ledger', path])
    expect(await log.next()).toMatchObject({ type: 'prepare' })
    renameSync(path, `${path}.away`)
    await log.said(`looking again: there is no ledger ${path}`)
    renameSync(`${path}.away`, path)
    await log.said('is there again')
    const [code] = await Promise.all([
      runCli(['cancel', 'op-1', '--reason', 'x', '--yes', '--ledger', path], { now: Date.now() }),
      log.next().then(event => expect(event).toMatchObject({ type: 'cancel' })),
    ])
    expect(code.code).toBe(0)
    log.child.kill('SIGTERM')
    expect(await log.ended).toBe(143)
    expect(log.errors().match(/looking again/g)).toHaveLength(1)
  })

  it('is followed from its beginning by log --follow where another one was put there', async () => {
    const { path, prepared, store } = await aLedger()
    const other = await aLedger()
    await other.prepared({ operation_id: 'other-1' })
    await other.store.close()
    await prepared({ operation_id: 'op-1' })
    await prepared({ operation_id: 'op-2', input: 2 })
    const log = going(['log', '--follow', '--jsonl', '--type', 'prepare', '--ledger', path])
    expect([await log.next(), await log.next()]).toMatchObject([
      { subject_id: 'op-1' },
      { subject_id: 'op-2' },
    ])
    await store.close()
    putInPlace(other.path, path)
    await log.said('another ledger stands at')
    expect(await log.next()).toMatchObject({ subject_id: 'other-1' })
    log.child.kill('SIGTERM')
    expect(await log.ended).toBe(143)
  })

  it('is followed on by log --follow where an earlier state of it was restored', async () => {
    const { path, prepared, store } = await aLedger()
    await prepared({ operation_id: 'op-1' })
    const backup = `${path}.backup`
    expect((await runCli(['backup', '--output', backup, '--ledger', path])).code).toBe(0)
    await prepared({ operation_id: 'op-2', input: 2 })
    const log = going(['log', '--follow', '--jsonl', '--type', 'prepare', '--ledger', path])
    expect([await log.next(), await log.next()]).toMatchObject([
      { subject_id: 'op-1' },
      { subject_id: 'op-2' },
    ])
    await store.close()
    putInPlace(backup, path)
    await log.said('what was printed last is not in this ledger any more')
    const intent = { operation_id: 'op-3', task_id: 'run-3', tool: 'x', input: 3 }
    const stdin = JSON.stringify(intent)
    expect((await runCli(['record', 'prepare', '--ledger', path], { stdin, now: Date.now() })).code).toBe(0)
    expect(await log.next()).toMatchObject({ subject_id: 'op-3' })
    log.child.kill('SIGTERM')
    expect(await log.ended).toBe(143)
  })

  it('is waited for by status --watch', async () => {
    const { path, lost } = await aLedger()
    const watch = going(['status', '--watch', '--jsonl', '--ledger', path])
    expect(await watch.next()).toMatchObject({ in_doubt: { count: 0 } })
    renameSync(path, `${path}.away`)
    await watch.said('looking again: there is no ledger')
    renameSync(`${path}.away`, path)
    await lost()
    expect(await watch.next()).toMatchObject({ in_doubt: { count: 1 } })
    watch.child.kill('SIGTERM')
    expect(await watch.ended).toBe(143)
  })

  it('ends both at once where there was none from the start', async () => {
    for (const argv of [
      ['log', '--follow'],
      ['status', '--watch'],
    ]) {
      const none = going([...argv, '--ledger', '/nowhere/ledger.db'])
      expect(await none.ended).toBe(3)
    }
  })

  it('is said to be unreachable by watch, which goes on when it is back', async () => {
    const { path } = await aLedger()
    const watch = going(['watch', '--every', '200ms', '--jsonl', '--ledger', path])
    expect(await watch.next()).toMatchObject({ event: 'leading' })
    renameSync(path, `${path}.away`)
    expect(await watch.next()).toMatchObject({
      event: 'unreachable',
      reason: `${path} is gone: it was moved or deleted while it was in use`,
    })
    renameSync(`${path}.away`, path)
    expect(await watch.next()).toMatchObject({ event: 'leading' })
    watch.child.kill('SIGTERM')
    expect(await watch.ended).toBe(143)
  })

  it('is watched on by watch where another one was put there, and ends it where that is none', async () => {
    const { path, store } = await aLedger()
    const other = await aLedger()
    await other.prepared({ operation_id: 'late', deadline_at: 1 })
    await other.store.close()
    await store.close()
    const watch = going(['watch', '--every', '200ms', '--jsonl', '--ledger', path])
    expect(await watch.next()).toMatchObject({ event: 'leading' })
    putInPlace(other.path, path)
    expect(await watch.next()).toMatchObject({
      event: 'unreachable',
      reason: `${path} is another file than the ledger that was opened`,
    })
    expect(await watch.next()).toMatchObject({ event: 'leading' })
    expect(await watch.next()).toMatchObject({ event: 'noticed', subject_id: 'late' })
    rmSync(path)
    writeFileSync(path, 'no ledger at all')
    expect(await watch.ended).toBe(3)
    expect(watch.errors()).toContain('is not a ledger')
  })
})
