import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../src/index.js'
import { runCli } from '../cli/fake-io.js'
import { aDirectory } from '../store/support/places.js'
import { bundled } from '../support/bundled.js'

// Supervisors as processes of their own, on one file.

const PROGRAM = bundled(join(import.meta.dirname, '../cli/main-program.ts'))

interface Told {
  readonly event: string
  readonly subject_id: string | null
}

function watching(path: string, ...options: readonly string[]) {
  const argv = ['watch', '--ledger', path, '--every', '200ms', '--jsonl', ...options]
  const child = spawn(process.execPath, [...PROGRAM.argv, ...argv], {
    env: { ...process.env, ...PROGRAM.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const told: Told[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => told.push(JSON.parse(line)))
  const heard = async (event: string) => {
    while (!told.some(one => one.event === event)) await once(lines, 'line')
  }
  return { child, told, heard }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

/** A running task that goes round. */
async function aLoop() {
  const path = join(aDirectory(), 'ledger.db')
  const ledger = await openLedger(path, { onWarning: () => {}, telemetry: false })
  onTestFinished(() => ledger.close())
  const goRound = async (id: string) => {
    const task = await ledger.task(id)
    for (let i = 0; i < 4; i++) await task.activity({ tool: 'log', input: {}, result: 'nothing' })
  }
  await goRound('run-7')
  return { path, ledger, goRound }
}

const noticesIn = (...all: readonly { readonly told: readonly Told[] }[]) =>
  all.flatMap(({ told }) =>
    told.filter(({ event }) => event === 'noticed').map(({ subject_id }) => subject_id),
  )

describe('several supervisors of one ledger', () => {
  it('watch the ledgers named, and that of --ledger with them', async () => {
    const [one, two, three] = [await aLoop(), await aLoop(), await aLoop()]
    const led = async (...words: readonly string[]) => {
      const { code, out } = await runCli(['watch', '--once', '--jsonl', ...words])
      const told = out
        .trim()
        .split('\n')
        .map((line): { event: string; ledger: string } => JSON.parse(line))
      const leads = told.filter(({ event }) => event === 'leading').map(({ ledger }) => ledger)
      return [code, leads.sort()]
    }
    expect(await led(one.path, two.path)).toEqual([0, [one.path, two.path].sort()])
    expect(await led(one.path, '--ledger', three.path)).toEqual([0, [one.path, three.path].sort()])
  })

  it('have one leader; another goes on when it is killed, and tells nothing twice', async () => {
    const { path, goRound } = await aLoop()
    const first = watching(path)
    await first.heard('noticed')
    const others = [watching(path), watching(path)]
    for (const other of others) await other.heard('following')
    expect(noticesIn(...others)).toEqual([])
    await ended(first.child, 'SIGKILL')
    await Promise.race(others.map(other => other.heard('leading')))
    await goRound('run-8')
    await Promise.race(others.map(other => other.heard('noticed')))
    await sleep(600) // three looks of both
    expect(noticesIn(first)).toEqual(['run-7'])
    expect(noticesIn(...others)).toEqual(['run-8'])
    expect(others.filter(({ told }) => told.some(({ event }) => event === 'leading'))).toHaveLength(1)
  })
})

describe('telling somebody', () => {
  it('by a command and by a webhook happens once each, however often a supervisor is killed and begun again', async () => {
    const { path, ledger } = await aLoop()
    const folder = aDirectory()
    const keys: (string | undefined)[] = []
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        keys.push(request.headers['idempotency-key']?.toString())
        response.writeHead(200).end('{}')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const tell = [
      '--exec',
      `echo "$AGENT_LEDGER_NOTICE" >> ${folder}/told`,
      '--webhook',
      `http://127.0.0.1:${port}/`,
    ]
    const isTold = async () => {
      const { code, out } = await runCli([
        'list',
        '--all',
        '--task',
        'agent-ledger/watch',
        '--json',
        '--ledger',
        path,
      ])
      if (code !== 0) return false // its task is not there yet
      const { operations }: { operations: readonly { status: string }[] } = JSON.parse(out)
      return operations.filter(({ status }) => status === 'confirmed').length === 2
    }
    const first = watching(path, ...tell)
    while (!(await isTold())) await sleep(50)
    await ended(first.child, 'SIGKILL')
    for (let i = 0; i < 2; i++) {
      const next = watching(path, ...tell)
      await next.heard('leading')
      await sleep(600) // three looks
      await ended(next.child, 'SIGKILL')
      expect(noticesIn(next)).toEqual([])
    }
    expect(readFileSync(`${folder}/told`, 'utf8').trim().split('\n')).toHaveLength(1)
    expect(keys).toHaveLength(1)
    expect((await ledger.verify()).findings).toEqual([])
  })
})
