import { existsSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { listDocument } from '../../src/core/documents/list-schema.js'
import { asked, RECEIPT } from '../core/builders.js'
import { startTasks } from '../probes/services/tasks.js'
import { aServer, json } from '../probes/support/server.js'
import { anAgedPlace, SECOND } from './an-aged-place.js'

const DAY = 86_400_000

/** All pages of the file, and what lies beside it. */
function bytesOf(path: string): string {
  return ['', '-wal'].map(end => (existsSync(path + end) ? readFileSync(path + end, 'latin1') : '')).join('')
}

it('L4: what could tell is gone, which is said; of what is about to go the report warns', async () => {
  const { url } = await aServer(json([]))
  const { ledger, cli, tools } = await anAgedPlace(
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
  const { ledger, cli } = await anAgedPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
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
  const { ledger, began, at, cli, tools } = await anAgedPlace(
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
  const { ledger, cli } = await anAgedPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
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

it('S4: nothing found, something found, no ledger, a bad option and a busy ledger are five codes', async () => {
  const { ledger, cli } = await anAgedPlace(3_600 * SECOND, '  tickets.create: { effect: irreversible }\n')
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
