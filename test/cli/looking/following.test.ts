import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { bundled } from '../../support/bundled.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))

/** A command that goes on, as a process whose stdout is a pipe. */
function going(argv: readonly string[]) {
  const child = spawn(process.execPath, [...PROGRAM.argv, ...argv], {
    env: { ...process.env, ...PROGRAM.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  return { child, next, ended, errors: () => errors.join('') }
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
