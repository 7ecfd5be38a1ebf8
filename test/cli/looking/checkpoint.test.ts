import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../../src/index.js'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'
import { addressOf, fillPostgres } from '../../sources/langgraph/postgres-rows.js'
import { expectedOf, FIXTURES } from '../../sources/langgraph/real-case.js'
import { CHECKPOINTS, createScratch, makeDatabase, WRITES } from '../../sources/saver-file.js'
import { runCli } from '../fake-io.js'

it('an empty checkpoint store is no proof that nothing ran: it says what may be missing and where to look', async () => {
  const scratch = createScratch()
  onTestFinished(() => scratch.remove())
  makeDatabase(scratch.path, CHECKPOINTS, WRITES)
  const { code, out, err } = await runCli(['checkpoint', scratch.path], { cwd: scratch.folder })
  expect(code).toBe(0)
  expect(out).toContain('0 threads')
  expect(err).toContain('with durability "exit" nothing at all of a run that was killed')
  expect(err).toContain('agent-ledger tasks')
})

describe('a checkpoint store on a server', () => {
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres({ password: 'hunter2-secret' })
    url = await server.createDatabase()
    const rows = JSON.parse(readFileSync(join(FIXTURES, 'js-pg-subgraph-kill', 'rows.json'), 'utf8'))
    await fillPostgres(url, 'graphs', rows)
    await fillPostgres(url, 'empty', { checkpoints: [], checkpoint_blobs: [], checkpoint_writes: [] })
  })
  afterAll(() => server.remove())

  it('is read and joined to the task that points there, whoever asks for it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'checkpoint-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const ledger = join(folder, 'ledger.db')
    const address = addressOf(url, 'graphs')
    const expected = expectedOf('js-pg-subgraph-kill')
    const inner = expected.get_state.tasks[0]?.state?.tasks[0]
    const namespace = `sub:${expected.get_state.tasks[0]?.id}|s2:${inner?.id}`
    const opened = await openLedger(ledger)
    const thread = { source: 'langgraph', uri: address.replace(/\/\/[^@]*@/, '//'), thread_id: 't1' }
    await opened.task('payout', { thread })
    await opened.run(
      {
        id: 'pay-1',
        task: 'payout',
        step: 's2',
        tool: 'pay',
        input: {},
        checkpoint: { source: 'langgraph', thread_id: 't1', namespace },
      },
      async () => {
        throw new Error('socket hang up')
      },
    )
    await opened.close()
    const { code, out, err } = await runCli(['--ledger', ledger, 'checkpoint', address, '--json'], {
      cwd: folder,
    })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('read as langgraph') })
    const [read] = JSON.parse(out).threads
    expect(read.replay_risk).toMatchObject([{ node: 's2', status: 'unknown' }])
    expect(read.advice.action).toBe('reconcile_first')
    const text = await runCli(['--ledger', ledger, 'checkpoint', address], { cwd: folder })
    expect(text.out).toContain('postgresql')
    expect(text.out + text.err + out).not.toContain('hunter2-secret')
  })

  it('that holds no thread yet says so, and one that cannot be read ends with 3', async () => {
    const empty = await runCli(['checkpoint', addressOf(url, 'empty')], { cwd: tmpdir() })
    expect(empty.code).toBe(0)
    expect(empty.out).toContain('0 threads')
    const wrong = addressOf(url.replace('hunter2-secret', 'hunter3-secret'), 'graphs')
    for (const args of [[wrong], [wrong, '--json'], [addressOf(url, 'nowhere')]]) {
      const { code, out, err } = await runCli(['checkpoint', ...args], { cwd: tmpdir() })
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).not.toMatch(/hunter[23]/)
    }
    const unknown = await runCli(['checkpoint', addressOf(url, 'graphs'), '--thread', 'x'], { cwd: tmpdir() })
    expect(unknown.code).toBe(4)
  })
})
