import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeService, startService } from '../../src/testing/index.js'

const root = dirname(dirname(import.meta.dirname))
const DROP = { action: 'create', calls: [1], fault: { kind: 'drop_response' } } as const
let folder: string
let service: FakeService

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-ledger-langgraph-'))
  service = await startService({ faults: [DROP] })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

describe('A LangGraph agent killed after the service opened its ticket', () => {
  test('is listed, explained, settled and resumed, and one ticket exists', async () => {
    const killed = await agent({ AGENT_LEDGER_CRASH_AT: 'answer_lost' })
    expect(killed.signal).toBe('SIGKILL')
    expect(service.effects()).toHaveLength(1)

    const [operation, ...others] = (await read('list', '--unknown')).operations
    expect(others).toEqual([])
    expect(operation).toMatchObject({
      task_id: 'alert-4711',
      tool: 'tickets.open',
      in_doubt: true,
      attempts: 1,
    })

    const report = await read('report')
    expect(report.unknown.map(({ operation_id }: Listed) => operation_id)).toEqual([operation.operation_id])
    expect(report.replay_risk).toMatchObject([{ operation_id: operation.operation_id, node: 'open_ticket' }])

    const [thread] = (await read('checkpoint', join(folder, 'checkpoint.sqlite'))).threads
    expect(thread.will_run).toMatchObject([{ node: 'open_ticket', reason: 'not_finished' }])
    expect(thread.advice.action).toBe('reconcile_first')

    const [ticket] = service.effects()
    await cli('resolve', operation.operation_id, ...confirmedBy(ticket?.id ?? ''))
    const resumed = await agent()
    expect(resumed.stdout).toBe('agent: done; the ticket is TICKET-1')
    expect(service.effects()).toHaveLength(1)
    expect(service.calls().filter(({ action }) => action === 'create')).toHaveLength(1)
  })

  test('pauses when it is resumed before anybody looked, and sends nothing', async () => {
    await agent({ AGENT_LEDGER_CRASH_AT: 'answer_lost' })
    const paused = await agent()
    expect(paused.stdout).toContain('paused')
    const [thread] = (await read('checkpoint', join(folder, 'checkpoint.sqlite'))).threads
    expect(thread.interrupts).toMatchObject([{ node: 'open_ticket', state: 'open' }])
    expect(thread.interrupts[0].value).toMatchObject({
      status: 'unknown',
      next_action: { next_action: 'ask_person' },
    })
    expect(service.calls().filter(({ action }) => action === 'create')).toHaveLength(1)
  })

  test('settled as not executed while the request may still arrive, it is not sent again by itself', async () => {
    await agent({ AGENT_LEDGER_CRASH_AT: 'answer_lost' })
    const [operation] = (await read('list', '--unknown')).operations
    const word = ['--evidence', 'looked at the wrong queue', '--reason', 'not there', '--early', '--yes']
    await cli('resolve', operation.operation_id, '--as', 'not-executed', ...word)
    // Said early, so an attempt may still arrive: the ledger does not repeat by itself.
    expect((await agent()).stdout).toContain('paused')
    expect(service.effects()).toHaveLength(1)
  })
})

test('the script for a reader ends with one ticket', async () => {
  const told = await execa(process.execPath, [join(root, 'examples/langgraph-ticket/run.mjs'), folder])
  expect(told.stdout).toContain('(SIGKILL)')
  expect(told.stdout.trimEnd()).toMatch(/agent: done; the ticket is TICKET-1\n\n# .*\ntickets: 1$/)
})

type Listed = { operation_id: string }

function agent(env: Record<string, string> = {}) {
  const script = join(root, 'examples/langgraph-ticket/agent.mjs')
  return execa(process.execPath, [script, folder, service.url], { env, reject: false })
}

function cli(...args: string[]) {
  const ledger = ['--ledger', join(folder, 'ledger.db')]
  return execa(process.execPath, [join(root, 'bin/agent-ledger.js'), ...ledger, ...args])
}

// Our own document: the fields a test reads are what it checks.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
async function read(...args: string[]): Promise<any> {
  return JSON.parse((await cli(...args, '--json')).stdout)
}

function confirmedBy(id: string): string[] {
  const evidence = ['--external-id', `ticket=${id}`, '--evidence', `${service.url}/tickets/${id}`]
  return ['--as', 'confirmed', ...evidence, '--result', JSON.stringify({ id }), '--reason', 'found', '--yes']
}
