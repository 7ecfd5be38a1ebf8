import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkpointId } from '../sources/langgraph/build-thread.js'
import { CHECKPOINTS, WRITES } from '../sources/saver-file.js'

// Reports of people whose files are larger than what a program may hold.

const ROOT = join(import.meta.dirname, '../..')
const PEAK = join(ROOT, 'bench/peak-memory.cjs')
const MB = 1 << 20

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-ledger-large-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the program; `memory` is the most that it held, in megabytes. */
function run(...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', PEAK, join(ROOT, 'bin/agent-ledger.js'), ...argv],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * MB },
  )
  const memory = Number(/peak-rss-kb (\d+)/.exec(stderr)?.[1]) / 1024
  return { status, stdout, stderr, memory }
}

function stateOf(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  const piece = Buffer.alloc(8 * MB)
  for (let n = readSync(file, piece); n > 0; n = readSync(file, piece)) hash.update(piece.subarray(0, n))
  closeSync(file)
  return `${hash.digest('hex')} ${statSync(path).mtimeMs}`
}

it('D8: of a store of large checkpoints one thread is read, with its pictures left out and said (bytedance/deer-flow#3011)', () => {
  const path = join(folder, 'checkpoints.sqlite')
  const picture = `data:image/png;base64,${'iVBORw0K'.repeat((19 * MB) / 8)}`
  writeStore(path, picture)
  const before = stateOf(path)
  const read = run('checkpoint', path, '--thread', 't2', '--json')
  expect([read.status, stateOf(path)]).toEqual([0, before])
  expect(read.memory).toBeLessThan(512)
  const [thread] = JSON.parse(read.stdout).threads
  expect(thread).toMatchObject({ thread_id: 't2', step: 1999 })
  expect(thread.interrupts).toMatchObject([
    { state: 'open', value: { image: { $omitted: { what: 'image/png', bytes: picture.length } } } },
  ])
  run('init')
  const taken = run('import', 'langgraph', path, '--thread', 't2', '--json')
  expect([taken.status, JSON.parse(taken.stdout).inputs[0]]).toMatchObject([0, { tasks: { added: 1 } }])
  expect(taken.memory).toBeLessThan(512)
  const told = run('report', 'langgraph:t2')
  expect(told.stdout).toContain('image/png')
  expect(told.memory).toBeLessThan(512)
  expect(told.stdout.length).toBeLessThan(100_000)
  expect(stateOf(path)).toBe(before)
})

/** 2,000 checkpoints of t2, the newest with four pictures, and another thread of the same size. */
function writeStore(path: string, picture: string): void {
  const db = new Database(path)
  for (const statement of [CHECKPOINTS, WRITES]) db.exec(statement)
  const insert = db.prepare('insert into checkpoints values (?, ?, ?, ?, ?, ?, ?)')
  const steps = Array.from({ length: 2_000 }, (_, n) => n)
  for (const thread of ['t1', 't2'])
    db.transaction(() => {
      for (const step of steps) {
        const id = checkpointId(step, step)
        const isNewest = step === steps.length - 1
        const viewed = isNewest ? [picture, picture, picture, picture] : [picture.slice(0, 4_000)]
        const checkpoint = {
          v: 4,
          id,
          ts: '2026-03-10T11:00:00.000Z',
          channel_values: { viewed_images: viewed, 'branch:to:ask': null },
          channel_versions: { viewed_images: step, 'branch:to:ask': step + 1 },
          versions_seen: { ask: { 'branch:to:ask': step } },
        }
        const metadata = { source: 'loop', step, parents: {} }
        insert.run(
          ...[thread, '', id, step === 0 ? null : checkpointId(step - 1, step - 1), 'json'],
          ...[Buffer.from(JSON.stringify(checkpoint)), Buffer.from(JSON.stringify(metadata))],
        )
      }
    })()
  const question = [{ id: 'f'.repeat(32), value: { question: 'publish it?', image: picture } }]
  db.prepare("insert into writes values ('t2', '', ?, ?, -3, '__interrupt__', 'json', ?)").run(
    checkpointId(1_999, 1_999),
    '1f1ebf0a-aa19-52b0-8000-b97187210420',
    Buffer.from(JSON.stringify(question)),
  )
  db.close()
}

it('F9: a log that is longer than a string can be is read, and its last call is in doubt (github/copilot-cli#4325)', () => {
  const path = join(folder, 'big.jsonl')
  writeLog(path)
  expect(statSync(path).size).toBeGreaterThan(600 * 1_000_000)
  run('init')
  const taken = run('import', 'transcript', path, '--json')
  expect(taken.status).toBe(0)
  expect(JSON.parse(taken.stdout).inputs[0]).toMatchObject({ operations: { added: 20_000 } })
  expect(taken.memory).toBeLessThan(300)
  const { unknown } = JSON.parse(run('report', '--json').stdout)
  expect(unknown).toMatchObject([{ tool: 'write_file', target: 'page-19999.md' }])
})

/** 200,000 lines, and none that answers the last call. */
function writeLog(path: string): void {
  const content = 'z'.repeat(6_000)
  const instructions = `${JSON.stringify({ role: 'system', content: 'y'.repeat(3_000) })}\n`.repeat(8)
  const file = openSync(path, 'w')
  for (let n = 0; n < 20_000; n++) {
    const call = { name: 'write_file', arguments: JSON.stringify({ path: `page-${n}.md` }) }
    const asked = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${n}`, type: 'function', function: call }],
    }
    const answer = { role: 'tool', tool_call_id: `c${n}`, content }
    const answered = n < 19_999 ? `${JSON.stringify(answer)}\n` : ''
    writeSync(file, `${instructions}${JSON.stringify(asked)}\n${answered}`)
  }
  closeSync(file)
}

it('a checkpoint of an OpenHands conversation of 600 MB is told in the memory that reading it takes', () => {
  const path = join(folder, 'events.jsonl')
  writeConversation(path)
  expect(statSync(path).size).toBeGreaterThan(600 * 1_000_000)
  const read = run('checkpoint', path, '--json')
  expect(read.status).toBe(0)
  expect(read.memory).toBeLessThan(300)
  expect(JSON.parse(read.stdout).threads).toMatchObject([
    { will_run: [{ node: 'terminal' }], replay_risk: [{ status: 'unknown', node: 'terminal' }] },
  ])
})

/** 60,000 commands, and the last without an answer. */
function writeConversation(path: string): void {
  const content = [{ type: 'text', text: 'z'.repeat(9_500) }]
  const idOf = (kind: number, n: number) =>
    `${String(n).padStart(8, '0')}-0000-4000-8000-${String(kind).padStart(12, '0')}`
  const file = openSync(path, 'w')
  for (let n = 0; n < 60_000; n++) {
    const common = { timestamp: '2026-03-10T11:00:00', tool_name: 'terminal', tool_call_id: `c${n}` }
    const action = { kind: 'TerminalAction', command: `make page-${n}` }
    const observation = { kind: 'TerminalObservation', content, is_error: false, exit_code: 0 }
    const asked = { id: idOf(1, n), source: 'agent', kind: 'ActionEvent', action, ...common }
    const answer = { id: idOf(2, n), source: 'environment', kind: 'ObservationEvent', observation, ...common }
    const answered = n < 59_999 ? `${JSON.stringify({ ...answer, action_id: idOf(1, n) })}\n` : ''
    writeSync(file, `${JSON.stringify(asked)}\n${answered}`)
  }
  closeSync(file)
}
