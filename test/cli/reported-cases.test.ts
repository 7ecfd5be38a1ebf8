import { expect, it } from 'vitest'
import type { ExternalId } from '../../src/core/operation.js'
import { asked, RECEIPT } from '../core/builders.js'
import type { TestLedger } from '../ledger/support/a-ledger.js'
import { startTasks } from '../probes/services/tasks.js'
import { aServer, json } from '../probes/support/server.js'
import { anAgedPlace, SECOND } from './an-aged-place.js'

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

// Reports of people who run agents, as a person who takes over meets them: each is a command and what it must say.

it('B5: a rollout that still goes on is in doubt, and confirmed once it is deployed', async () => {
  let state = { status: 'progressing', ready: '3/5' }
  const { url } = await aServer((request, response) => json(state)(request, response))
  const { ledger, cli } = await anAgedPlace(
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
  const { ledger, cli } = await anAgedPlace(3_600 * SECOND, listProbe('create_token', url))
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
  const { ledger, cli, tools } = await anAgedPlace(
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
  const { ledger, cli } = await anAgedPlace(
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
