import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importInputs } from '../../../src/ledger/import-inputs.js'
import { openLedger } from '../../../src/ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

// A long import is given up by Ctrl-C: nothing of the input is stored, and nothing is left behind.

const PROGRAM = join(import.meta.dirname, '../../../bin/agent-ledger.js')
const LINES = 8_000

/** Long enough that a command that takes it in can be caught at work. */
function aLongLog(): string {
  const path = join(aDirectory(), 'long.jsonl')
  const line = (n: number) =>
    JSON.stringify({
      operation_id: `op-${n}`,
      tool: 'post',
      status: 'unknown',
      input: { text: 'x'.repeat(500) },
    })
  writeFileSync(path, Array.from({ length: LINES }, (_, n) => line(n)).join('\n'))
  return path
}

/** Its records wait in a file that has no name any more. */
function isReading(pid: number, _ledger: string): boolean {
  const files = `/proc/${pid}/fd`
  return readdirSync(files).some(name => linkOf(join(files, name)).endsWith('/records (deleted)'))
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}

/** It holds the lock that whoever writes to a log holds: byte 120 of its -shm (https://www.sqlite.org/walformat.html). */
function isStoring(pid: number, ledger: string): boolean {
  const inode = statSync(`${ledger}-shm`, { throwIfNoEntry: false })?.ino
  return new RegExp(` WRITE ${pid} \\S+:${inode} 120 120$`, 'm').test(readFileSync('/proc/locks', 'utf8'))
}

describe.each([
  ['its records are read', isReading],
  ['they are stored', isStoring],
])('an import that is told to stop while %s', (_, isMoment) => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s stores nothing and leaves nothing behind', async signal => {
    const [home, temporary] = [aDirectory(), aDirectory()]
    const ledger = join(home, 'ledger.db')
    await runCli(['init', '--ledger', ledger])
    const child = spawn(process.execPath, [PROGRAM, 'import', aLongLog(), '--ledger', ledger], {
      env: { ...process.env, TMPDIR: temporary },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said: Buffer[] = []
    child.stderr.on('data', piece => said.push(piece))
    const ended = once(child, 'close')
    while (child.exitCode === null && !isMoment(child.pid ?? 0, ledger)) await sleep(1)
    child.kill(signal)
    expect(await ended).toEqual([128 + constants.signals[signal], null])
    expect(Buffer.concat(said).toString()).toContain('interrupted: nothing of')
    expect([readdirSync(home), readdirSync(temporary)]).toEqual([['ledger.db'], []])
    const { out } = await runCli(['list', '--all', '--ledger', ledger, '--json'])
    expect(JSON.parse(out).operations).toEqual([])
  })
})

it('of several inputs those before the one that was given up stay', async () => {
  const cwd = aDirectory()
  const small = join(cwd, 'small.jsonl')
  writeFileSync(small, JSON.stringify({ operation_id: 'a', tool: 'post', status: 'unknown' }))
  const ledger = await openLedger(join(cwd, 'ledger.db'))
  const stopping = new AbortController()
  const inputs = await importInputs(ledger, {
    paths: [small, aLongLog(), small],
    cwd,
    signal: stopping.signal,
    onProgress: ({ doing, records }) => {
      if (doing === 'storing' && records > 1_000) stopping.abort()
    },
  })
  await ledger.close()
  expect(inputs.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
    ['done', undefined],
    ['not_done', 'declined'],
  ])
  const { out } = await runCli(['list', '--all', '--ledger', join(cwd, 'ledger.db'), '--json'])
  expect(JSON.parse(out).operations).toHaveLength(1)
})
