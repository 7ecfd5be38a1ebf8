import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { parseConfig } from '../../src/config/load.js'
import { listDocument } from '../../src/core/documents/list-schema.js'
import type { ExternalId } from '../../src/core/operation.js'
import { asked, RECEIPT } from '../core/builders.js'
import { aLedger, type TestLedger } from '../ledger/support/a-ledger.js'
import { startTasks } from '../probes/services/tasks.js'
import { aServer, json } from '../probes/support/server.js'
import { runCli } from './fake-io.js'

// Reports of people who run agents, as a person who takes over meets them: each is a command and what it must say.

const SECOND = 1_000
const DAY = 86_400_000

/** A ledger whose clock began so long ago, a configuration beside it, and the command line on both. */
async function aPlace(agoMs: number, tools: string) {
  const began = Date.now() - agoMs
  const ledger = await aLedger(began)
  const cwd = dirname(ledger.path)
  const path = join(cwd, 'agent-ledger.yaml')
  const text = `ledger: ledger.db\ntools:\n${tools}`
  writeFileSync(path, text)
  mkdirSync(join(cwd, 'state'))
  const env = { XDG_STATE_HOME: join(cwd, 'state'), AGENT_LEDGER_BY: 'ana' }
  const cli = (argv: readonly string[]) => runCli(argv, { cwd, env, now: Date.now() })
  const at = (ms: number) => ['--as-of', new Date(began + ms).toISOString()]
  return { ledger, began, at, cli, tools: parseConfig(text, path).tools }
}

function known(ledger: TestLedger, operation_id: string, external_id: ExternalId) {
  const body = { external_ids: [{ ...external_id }] }
  return ledger.store.addEvidence({
    operation_id,
    evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body }],
    external_ids: [external_id],
    by: { actor: 'agent', clock: ledger.clock },
  })
}

const listProbe = (tool: string, url: string) => `  ${tool}:
    probe:
      kind: http
      grade: C
      url: ${url}/all
      parent: ${url}/
      match: { key: key }
      id: { kind: object, value: id }
`

it('B5: a rollout that still goes on is in doubt, and confirmed once it is deployed', async () => {
  let state = { status: 'progressing', ready: '3/5' }
  const { url } = await aServer((request, response) => json(state)(request, response))
  const { ledger, cli } = await aPlace(
    15 * 60 * SECOND,
    `  helm_upgrade:
    probe:
      kind: http
      grade: B
      url: ${url}/releases/{external_id.release}
      remote: { state: status, says: ready, working: [progressing], completed: [deployed], failed: [failed] }
`,
  )
  await ledger.lost({ operation_id: 'op-26', tool: 'helm_upgrade' })
  await known(ledger, 'op-26', { kind: 'release', value: 'app@rev27' })
  const early = await cli(['reconcile', 'op-26'])
  expect(early.code).toBe(10)
  expect(early.out).toContain('still running remotely (progressing: 3/5): look again')
  expect((await ledger.store.operation('op-26'))?.operation.status).toBe('unknown')
  state = { status: 'deployed', ready: '5/5' }
  const late = await cli(['reconcile', 'op-26', '--now'])
  expect([late.code, late.out]).toEqual([0, expect.stringContaining('its task says deployed: 5/5')])
  expect((await ledger.store.operation('op-26'))?.operation.status).toBe('confirmed')
})

it('L2: three for one are all shown, none is chosen, and the clean-up is left to a person', async () => {
  const items: object[] = []
  const { url } = await aServer((request, response) => json(items)(request, response))
  const { ledger, cli } = await aPlace(3_600 * SECOND, listProbe('create_token', url))
  const { operation } = await ledger.lost({ operation_id: 'op-141', tool: 'create_token' })
  for (const id of ['tok-1', 'tok-2', 'tok-3']) items.push({ id, key: operation.idempotency_key })
  const { code, out } = await cli(['reconcile', 'op-141'])
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('3 found for 1 intended: object tok-1, object tok-2'),
  ])
  for (const view of [['show', 'op-141'], ['report'], ['list', '--jsonl']]) {
    const shown = (await cli(view)).out
    for (const id of ['tok-1', 'tok-2', 'tok-3'])
      expect([view, shown]).toEqual([view, expect.stringContaining(id)])
  }
  expect((await ledger.store.operation('op-141'))?.operation.result).toBeNull()
  const { status, next_action } = JSON.parse((await cli(['show', 'op-141', '--json'])).out)
  expect([status, next_action.next_action]).toEqual(['confirmed', 'ask_person'])
  expect((await cli(['show', 'op-141'])).out).toContain('agent-ledger resolve --acknowledge-duplicates')
})

it('M3: working beside a final artifact is shown with both, and settled by a person alone', async () => {
  const service = await startTasks({ now: () => Date.now() })
  const { ledger, cli, tools } = await aPlace(
    3_600 * SECOND,
    `  research:\n    service: a2a.tasks\n    with: { url: "${service.url}/a2a" }\n`,
  )
  const contract = tools.research?.contract ?? {}
  const { operation } = await ledger.inFlight({ operation_id: 'op-152', tool: 'research', contract })
  const held = { attempt: 1, fence: operation.lease_fence }
  const remote = { kind: 'a2a_task', value: 't-1' }
  await ledger.ask('op-152', asked.accept({ ...held, remote, patience_ms: SECOND }), [RECEIPT])
  service.set('t-1', { timestamp: '09:00', artifacts: [{ artifactId: 'a-5', metadata: { final: true } }] })
  const { code, out } = await cli(['reconcile', 'op-152'])
  expect([code, out]).toEqual([10, expect.stringContaining('working: 09:00, and its result exists: a-5')])
  const shown = (await cli(['show', 'op-152'])).out
  expect(shown).toContain('next: a person decides')
  expect(shown).toContain('its result exists: a-5')
  expect(shown).toMatch(/agent-ledger resolve --as confirmed/)
  expect((await ledger.store.operation('op-152'))?.operation.status).not.toBe('confirmed')
})

it('S5: three answers are kept and two are missed, which has a code of its own; then the two are asked about', async () => {
  let broken = ['op-4', 'op-5']
  const asks: string[] = []
  const { url } = await aServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? ''
    if (id !== '') asks.push(id)
    return json({ id, op: id }, broken.includes(id) ? 500 : 200)(request, response)
  })
  const { ledger, cli } = await aPlace(
    3_600 * SECOND,
    `  named:
    probe:
      kind: http
      grade: B
      url: ${url}/t/{operation_id}
      match: { named_by: operation_id }
      id: { kind: ticket, value: id }
`,
  )
  for (const n of [1, 2, 3, 4, 5])
    await ledger.lost({
      operation_id: `op-${n}`,
      task_id: 'run-210',
      tool: 'named',
      input: n,
      idempotency_key: `k-${n}`,
    })
  const first = await cli(['reconcile', '--all', '--task', 'run-210', '--jsonl'])
  const outcomes = ({ out }: { readonly out: string }) =>
    out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).outcome)
      .sort()
  expect([first.code, outcomes(first)]).toEqual([
    6,
    ['confirmed', 'confirmed', 'confirmed', 'probe_failed', 'probe_failed'],
  ])
  broken = []
  asks.length = 0
  const second = await cli(['reconcile', '--all', '--task', 'run-210', '--jsonl'])
  expect([second.code, outcomes(second), asks.sort()]).toEqual([
    0,
    ['confirmed', 'confirmed'],
    ['op-4', 'op-5'],
  ])
})

it('L4: what could tell is gone, which is said; of what is about to go the report warns', async () => {
  const { url } = await aServer(json([]))
  const { ledger, cli, tools } = await aPlace(
    49 * DAY,
    `  burn_image:
    probe:
      kind: http
      grade: C
      keeps: 30d
      url: ${url}/logs?since={since}
      parent: ${url}/
      match: { key: key }
      id: { kind: line, value: id }
`,
  )
  const of = { task_id: 'imager', tool: 'burn_image', contract: tools.burn_image?.contract ?? {} }
  await ledger.lost({ ...of, operation_id: 'op-143', input: 143, idempotency_key: 'k-143' })
  ledger.clock.advance(23 * DAY)
  await ledger.lost({ ...of, operation_id: 'op-144', input: 144, idempotency_key: 'k-144' })
  ledger.clock.advance(20 * DAY)
  await ledger.lost({ ...of, operation_id: 'op-145', input: 145, idempotency_key: 'k-145' })
  const { code, out } = await cli(['reconcile', 'op-143'])
  expect([code, out]).toEqual([
    10,
    expect.stringContaining('the source keeps 30d, the action is 49d old: it cannot tell any more'),
  ])
  const report = (await cli(['report', 'imager'])).out
  expect(report).toContain('agent-ledger reconcile op-145')
  // four days less the time that this test has run
  expect(report).toMatch(/its remote record expires in 3d 23h: it is kept for 30d/)
  expect(report).toContain('its remote record expired 19d ago')
  const { operations } = listDocument.parse(JSON.parse((await cli(['list', '--stalled', '--json'])).out))
  expect(operations.map(one => [one.operation_id, one.stalled_by.map(({ rule }) => rule)])).toEqual([
    ['op-143', ['evidence_expires']],
    ['op-144', ['evidence_expires']],
  ])
  const by = ['--as', 'confirmed', '--evidence', 'the card boots', '--reason', 'nobody keeps logs so long']
  expect((await cli(['resolve', 'op-143', ...by, '--yes'])).code).toBe(0)
})

it('L7: what was confirmed shows no old error as its own, and its history keeps them all', async () => {
  const { ledger, cli } = await aPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
  await ledger.inFlight({ operation_id: 'op-146', task_id: 'run-1' })
  const held = async () => {
    const { operation } = (await ledger.store.operation('op-146')) ?? {}
    return { attempt: operation?.attempt ?? 0, fence: operation?.lease_fence ?? 0 }
  }
  for (const message of ['first: quota exceeded', 'second: quota exceeded']) {
    const at = ledger.clock().at
    const error = { rule: 'http_429', message, at, attempt: null }
    const retry = asked.scheduleRetry({ ...(await held()), next_attempt_at: at, error })
    await ledger.ask('op-146', retry, [RECEIPT])
    const send = { owner: 'host/boot/42/ns/1/abc', lease_ms: 60_000, epoch: null, fence: null }
    await ledger.ask('op-146', asked.send(send))
  }
  await ledger.ask('op-146', asked.confirm({ ...(await held()) }), [RECEIPT])
  const row = (await cli(['list', '--all'])).out
  expect(row).toContain('confirmed')
  expect(row).not.toContain('quota')
  const [listed] = listDocument.parse(JSON.parse((await cli(['list', '--all', '--json'])).out)).operations
  expect(listed).toMatchObject({ status: 'confirmed', last_error: null, in_doubt: false })
  const shown = (await cli(['show', 'op-146'])).out
  for (const message of ['first: quota exceeded', 'second: quota exceeded']) expect(shown).toContain(message)
  expect(shown.indexOf('quota')).toBeGreaterThan(shown.indexOf('Attempts'))
  const { last_error } = JSON.parse((await cli(['report', 'run-1', '--json'])).out)
  expect(last_error).toMatchObject({ operation_id: 'op-146', later_resolved: true })
  const events = (await cli(['log', 'op-146', '--jsonl'])).out
  for (const message of ['first: quota exceeded', 'second: quota exceeded']) expect(events).toContain(message)
  await ledger.lost({ operation_id: 'op-147', task_id: 'run-1', input: 147, idempotency_key: 'k-147' })
  const later = JSON.parse((await cli(['report', 'run-1', '--json'])).out)
  expect(later.last_error).toMatchObject({ operation_id: 'op-147', later_resolved: false })
})

it('M5: a remote record is warned of before it expires, and afterwards the work may still be running', async () => {
  const service = await startTasks({ now: () => Date.now(), ttlMs: 300 * SECOND })
  const { ledger, began, at, cli, tools } = await aPlace(
    330 * SECOND,
    `  research:
    service: mcp.tasks
    with: { url: "${service.url}/mcp", session: A }
    keeps: 300s
    patience: 1h
`,
  )
  const contract = tools.research?.contract ?? {}
  const { operation } = await ledger.inFlight({ operation_id: 'op-154', tool: 'research', contract })
  const remote = { kind: 'mcp_task', value: 't-9', scope: 'A' }
  const held = { attempt: 1, fence: operation.lease_fence }
  await ledger.ask('op-154', asked.accept({ ...held, remote, patience_ms: 3_600 * SECOND }), [RECEIPT])
  service.set('t-9', { createdAt: began })
  expect((await cli(['list', '--stalled', ...at(199 * SECOND)])).out).not.toContain('op-154')
  const warned = await cli(['list', '--stalled', ...at(210 * SECOND)])
  expect(warned.out).toContain('its remote record expires in 1m30s')
  const { code, out } = await cli(['reconcile', 'op-154'])
  expect([code, out]).toEqual([
    10,
    expect.stringContaining('its record is gone or expired: the work may still be running'),
  ])
  expect((await cli(['list', '--stalled'])).out).toContain('its remote record expired')
})

it('Q4: masking is the same every time, and the digest is of what was sent', async () => {
  const { ledger, cli } = await aPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
  const { operation } = await ledger.lost({ operation_id: 'op-1', input: { api_key: 'k3y-of-nobody' } })
  const [first, second] = [(await cli(['export'])).out, (await cli(['export'])).out]
  const records = (text: string) => text.split('\n').filter(line => line.includes('op-1'))
  expect(records(first).length).toBeGreaterThan(0)
  const exportedAt = (text: string) => text.replace(/"exported_at":\d+/, '')
  expect(exportedAt(first)).toBe(exportedAt(second))
  expect(first).not.toContain('k3y-of-nobody')
  expect(first).toContain(operation.input_digest)
  await cli(['abandon', 'op-1', '--reason', 'nobody knows', '--yes'])
  const blank = ['redact', 'op-1', '--reason', 'a key in it']
  const would = await cli([...blank, '--dry-run'])
  expect([would.code, would.out]).toEqual([0, expect.stringContaining('input')])
  expect(bytesOf(ledger.path)).toContain('k3y-of-nobody')
  expect((await cli([...blank, '--yes'])).code).toBe(0)
  await ledger.store.close()
  expect(bytesOf(ledger.path)).not.toContain('k3y-of-nobody')
  expect((await cli(['show', 'op-1', '--json'])).out).toContain(operation.input_digest)
})

/** All pages of the file, and what lies beside it. */
function bytesOf(path: string): string {
  return ['', '-wal'].map(end => (existsSync(path + end) ? readFileSync(path + end, 'latin1') : '')).join('')
}

it('S4: nothing found, something found, no ledger, a bad option and a busy ledger are five codes', async () => {
  const { ledger, cli } = await aPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
  const list = ['list', '--unknown', '--exit-code', '--json']
  const wordOf = ({ err }: { err: string }) => JSON.parse(err).code
  expect((await cli(list)).code).toBe(0)
  await ledger.lost({ operation_id: 'op-1', input: 1, idempotency_key: 'k-1' })
  await ledger.lost({ operation_id: 'op-2', input: 2, idempotency_key: 'k-2' })
  expect((await cli(list)).code).toBe(10)
  const missing = await cli([...list, '--ledger', '/nowhere/ledger.db'])
  expect([missing.code, wordOf(missing)]).toEqual([3, 'ledger_missing'])
  const odd = await cli([...list, '--unknwon'])
  expect([odd.code, wordOf(odd)]).toEqual([2, 'usage'])
  const other = new Database(ledger.path)
  other.exec('begin immediate')
  // Reading never waits for whoever writes; a decision does.
  expect((await cli(list)).code).toBe(10)
  const busy = await cli(['abandon', 'op-1', '--reason', 'r', '--yes', '--wait', '50ms', '--json'])
  other.close()
  expect([busy.code, wordOf(busy)]).toEqual([8, 'busy'])
})
