import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { startTasks } from '../services/tasks.js'
import { contracted } from '../support/contract.js'

const SECOND = 1_000
type Tool = 'a2a' | 'mcp'

async function tasks(tool: Tool, options = {}, given: Record<string, string> = {}) {
  const ledger = await aLedger()
  const fake = await startTasks({ now: () => ledger.clock().at, ...options })
  const of: Record<string, string> =
    tool === 'a2a' ? { url: `${fake.url}/a2a` } : { url: `${fake.url}/mcp`, session: 'A' }
  const shop = contracted({ service: `${tool}.tasks`, with: { ...of, ...given }, ledger })
  /** sent, its task named as soon as it was known, and the answer lost */
  const began = async (operation_id: string, id: string, scope?: string) => {
    const lost = await shop.lost(operation_id)
    const external_id = { kind: `${tool}_task`, value: id, ...(scope === undefined ? {} : { scope }) }
    await ledger.store.addEvidence({
      operation_id,
      evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: { external_ids: [external_id] } }],
      external_ids: [external_id],
      by: { actor: 'agent', clock: ledger.clock },
    })
    return lost
  }
  return { fake, began, ...shop }
}

const WORDS = {
  a2a: { working: 'working', input: 'input-required', done: 'completed', failed: 'failed' },
  mcp: { working: 'working', input: 'input_required', done: 'completed', failed: 'failed' },
}

describe.each(['a2a', 'mcp'] as const)('%s.tasks', tool => {
  const words = WORDS[tool]

  it('waits while it works, names the person it waits for, and is confirmed when it is completed', async () => {
    const { fake, began, ask, ledger } = await tasks(tool)
    await began('op-1', 't-1')
    fake.set('t-1', { state: words.working })
    expect(await ask('op-1')).toMatchObject({ status: 'unknown', waits_for: 'service', rule: 'remote_task' })
    ledger.clock.advance(61 * SECOND)
    fake.set('t-1', { state: words.input })
    expect(await ask('op-1')).toMatchObject({
      waits_for: 'person',
      reason: expect.stringContaining('waits for an answer'),
    })
    fake.set('t-1', { state: words.done })
    expect(await ask('op-1', { early: true })).toMatchObject({ outcome: 'confirmed' })
  })

  it('says of a failed one that nobody declared what it left behind', async () => {
    const { fake, began, ask, pastArrival } = await tasks(tool)
    await began('op-1', 't-1')
    fake.set('t-1', { state: words.failed })
    pastArrival()
    expect(await ask('op-1')).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('nobody declared'),
    })
  })

  it('never takes an expired record for absent: the work may still be running', async () => {
    const { fake, began, ask, pastArrival, ledger } = await tasks(tool, { ttlMs: 300 * SECOND })
    await began('op-154', 't-9')
    fake.set('t-9', { state: words.working })
    ledger.clock.advance(330 * SECOND)
    expect(await ask('op-154')).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('may still be running'),
    })
    pastArrival()
    for (const _ of [1, 2, 3]) {
      ledger.clock.advance(3_600 * SECOND)
      expect((await ask('op-154', { early: true })).outcome).toBe('in_doubt')
    }
  })

  it('asks nothing where the id of the task was lost with the answer', async () => {
    const { fake, lost, ask } = await tasks(tool)
    await lost('op-1')
    expect((await ask('op-1')).reason).toContain(`{external_id.${tool}_task}`)
    expect(fake.asked).toEqual([])
  })

  it.each([
    ['a limit', { status: 429, headers: { 'retry-after': '600' } }],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }],
    ['an answer cut off', { cut: 'within' as const, times: 3 }],
    ['another error', { status: 200, body: { jsonrpc: '2.0', error: { code: -32603 } } }],
    ['a word that nobody declared', { status: 200, body: { result: { status: { state: 'odd' } } } }],
  ])('concludes nothing from %s', async (_, trouble) => {
    const { fake, began, ask, pastArrival } = await tasks(tool)
    await began('op-1', 't-1')
    fake.set('t-1', {})
    pastArrival()
    fake.trouble(trouble)
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })
})

describe('a2a.tasks', () => {
  it('M3: shows a state that says working beside a final artifact, and decides nothing', async () => {
    const { fake, began, ask } = await tasks('a2a')
    await began('op-152', 't-1')
    fake.set('t-1', { timestamp: '09:00', artifacts: [{ artifactId: 'a-5', metadata: { final: true } }] })
    expect(await ask('op-152')).toMatchObject({
      status: 'unknown',
      rule: 'disagreement',
      facts: ['its status says working: 09:00, and its result exists: a-5'],
    })
  })

  it('understands the words of version 1.0', async () => {
    const { fake, began, ask } = await tasks('a2a', {}, { method: 'GetTask', a2a_version: '1.0' })
    await began('op-1', 't-1')
    fake.set('t-1', { state: 'TASK_STATE_COMPLETED' })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
    expect(fake.requests[0]?.headers['a2a-version']).toBe('1.0')
  })
})

describe('mcp.tasks', () => {
  it('reads an answer that comes as an event stream after a notice', async () => {
    const { fake, began, ask } = await tasks('mcp', { isStreaming: true })
    await began('op-1', 't-1')
    fake.set('t-1', { state: 'completed' })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
  })

  it('M4: says that it was asked in another session than the one that made it', async () => {
    const { fake, began, ask, pastArrival } = await tasks('mcp', {}, { session: 'B' })
    fake.sessions.add('B')
    await began('op-153', 'task-123', 'A')
    fake.set('task-123', { session: 'A' })
    pastArrival()
    expect(await ask('op-153')).toMatchObject({
      status: 'unknown',
      rule: 'asked_elsewhere',
      reason: 'asked in another session or scope (B) than the one that made it (A)',
    })
  })

  it('asks for the task by its id, on whatever page of the server’s list it stands', async () => {
    const { fake, began, ask } = await tasks('mcp', { pageSize: 2 })
    for (const id of ['t-1', 't-2', 't-3', 't-4', 't-5']) fake.set(id, {})
    await began('op-1', 't-5')
    fake.set('t-5', { state: 'completed' })
    const page = await listed(fake.url)
    expect(page).toMatchObject({ tasks: [{ taskId: 't-1' }, { taskId: 't-2' }], nextCursor: '2' })
    expect(await listed(fake.url, '4')).toEqual({
      tasks: [{ taskId: 't-5', status: 'completed', ttl: null }],
    })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
  })

  it('says nothing of the task where the session is gone', async () => {
    const { fake, began, ask, pastArrival } = await tasks('mcp')
    await began('op-1', 't-1')
    fake.sessions.clear()
    pastArrival()
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })

  it('does not call done what is completed with isError in its result', async () => {
    const { fake, began, ask } = await tasks('mcp')
    await began('op-1', 't-1')
    fake.set('t-1', { state: 'completed', result: { isError: true } })
    expect(await ask('op-1')).toMatchObject({ status: 'unknown', rule: 'disagreement' })
  })
})

async function listed(url: string, cursor?: string): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/list', params: { cursor } }
  const headers = { 'content-type': 'application/json', 'mcp-session-id': 'A' }
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
  return Object(await answer.json()).result
}
