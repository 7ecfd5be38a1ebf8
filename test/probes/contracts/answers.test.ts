import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { SingleProbe } from '../../../src/core/probe.js'
import { SERVICE_CONTRACTS, serviceContract } from '../../../src/probes/contracts/index.js'
import { askProbe } from '../../../src/probes/index.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { fakeOf } from '../services/service.js'
import { aWorld, someFacts } from '../support/asking.js'
import { contracted } from '../support/contract.js'
import { given } from './given.js'

/** One general service: answers each address with what it is told, and remembers what came. */
async function general(service: string, answers: Record<string, unknown>, over: Record<string, string> = {}) {
  const fake = await fakeOf(({ url, headers }) => {
    if (headers.authorization === 'Bearer nobody') return { status: 403 }
    const found = Object.entries(answers).find(([path]) => `${url.pathname}${url.search}`.includes(path))
    return found === undefined || found[1] === 404 ? { status: 404 } : { status: 200, body: found[1] }
  })
  const api: Record<string, string> = Object.hasOwn(SERVICE_CONTRACTS[service]?.parameters ?? {}, 'api')
    ? { api: fake.url }
    : {}
  const contract = serviceContract({ service, with: given(service, { ...api, ...over }) })
  if ('problem' in contract) throw new Error(contract.problem)
  const [probe] = contract.probes
  if (probe === undefined) throw new Error('it asks nothing')
  const env = {
    GITLAB_TOKEN: 't',
    SLACK_BOT_TOKEN: 't',
    KUBE_TOKEN: 't',
    LINEAR_API_KEY: 't',
    JIRA_BASIC: 't',
    NOBODY: 'nobody',
  }
  const ask = (more = {}) =>
    askProbe(probe, {
      facts: someFacts({
        input: {
          project_id: 42,
          iid: 7,
          channel: 'C1',
          thread_ts: '1.0',
          teamId: 'team',
          metadata: { name: 'web' },
          body: 'words',
          text: 'words',
        },
        ...more,
      }),
      world: aWorld({ env }),
      settleMs: undefined,
    })
  return { fake, ask }
}

const MARK = '<!-- agent-ledger:op-1 -->'

describe('what the answers of the other services mean', () => {
  it('gitlab.notes: the note with our mark, one of the same words as a candidate, and no issue no absence', async () => {
    const note = { id: 5, body: `words ${MARK}`, author: { username: 'bot' } }
    const alike = { id: 6, body: 'words', author: { username: 'x' } }
    const { ask } = await general('gitlab.notes', { '/notes': [alike, note], '/issues/7': { iid: 7 } })
    expect(await ask()).toMatchObject({
      completeness: 'complete',
      parent: 'readable',
      matches: [{ matched_by: 'attributes' }, { matched_by: 'operation_id', external_id: { value: '5' } }],
    })
    const gone = await general('gitlab.notes', { '/notes': [] })
    expect(await gone.ask()).toMatchObject({ parent: 'unreadable' })
  })

  it.each(['slack.messages', 'slack.replies'])(
    '%s: the message with our metadata, and no error for an empty list',
    async service => {
      const message = { ts: '1.2', text: 'words', metadata: { event_payload: { operation_id: 'op-1' } } }
      const info = { ok: true, channel: { is_member: true } }
      const list = (body: object) => ({ 'conversations.info': info, 'conversations.': body })
      const found = await general(service, list({ ok: true, messages: [message], has_more: false }))
      expect(await found.ask()).toMatchObject({
        matches: [{ matched_by: 'operation_id' }],
        parent: 'readable',
      })
      const error = await general(service, list({ ok: false, error: 'channel_not_found' }))
      expect(await error.ask()).toMatchObject({ completeness: 'failed', code: 'not_understood' })
      // It says that there is more, and not where.
      const cut = await general(service, list({ ok: true, messages: [], has_more: true }))
      expect(await cut.ask()).toMatchObject({ completeness: 'partial' })
      const outside = await general(service, {
        ...list({ ok: true, messages: [], has_more: false }),
        'conversations.info': { ok: true, channel: { is_member: false } },
      })
      expect(await outside.ask()).toMatchObject({ parent: 'unreadable' })
    },
  )

  it('kubernetes.objects: the object under our name with our annotation, another one differs, 403 says nothing', async () => {
    const path = 'apis/apps/v1/namespaces/shop/deployments'
    const object = (id: string) => ({
      metadata: { uid: 'u-1', annotations: { 'agent-ledger/operation-id': id } },
    })
    const own = await general('kubernetes.objects', { '?limit=1': {}, '/web': object('op-1') }, { path })
    expect(await own.ask()).toMatchObject({ grade: 'B', matches: [{ matched_by: 'operation_id' }] })
    const other = await general('kubernetes.objects', { '?limit=1': {}, '/web': object('op-2') }, { path })
    expect(await other.ask()).toMatchObject({ matches: [{ differs: expect.any(String) }] })
    const none = await general('kubernetes.objects', { '?limit=1': {} }, { path })
    expect(await none.ask()).toMatchObject({ completeness: 'complete', matches: [], parent: 'readable' })
    const nobody = await general('kubernetes.objects', { '?limit=1': {} }, { path, token: 'NOBODY' })
    expect(await nobody.ask()).toMatchObject({ completeness: 'failed' })
  })

  it('linear.issues: the issue with our id, and the team in the same question as what holds it', async () => {
    const answer = (nodes: object[], team: object | null = { id: 'team' }) => ({
      '/graphql': { data: { team, issues: { nodes } } },
    })
    const found = await general('linear.issues', answer([{ id: 'al-key-1', url: 'https://linear.app/x' }]))
    expect(await found.ask()).toMatchObject({ matches: [{ matched_by: 'key' }], parent: 'readable' })
    expect(found.fake.asked).toEqual(['POST /graphql'])
    expect(await (await general('linear.issues', answer([]))).ask()).toMatchObject({
      matches: [],
      parent: 'readable',
    })
    expect(await (await general('linear.issues', answer([], null))).ask()).toMatchObject({
      parent: 'unreadable',
    })
    const error = await general('linear.issues', { '/graphql': { errors: [{ message: 'no' }], data: null } })
    expect(await error.ask()).toMatchObject({ completeness: 'failed' })
  })

  it('jira.issues: a hit of the search counts once it is read by its id, and no hit never proves anything', async () => {
    const issue = { id: '10', key: 'A-1', fields: { labels: ['x', 'op-1'] } }
    const found = await general('jira.issues', { '/search/jql': { issues: [issue] }, '/issue/10': issue })
    expect(await found.ask()).toMatchObject({ grade: 'C', matches: [{ matched_by: 'operation_id' }] })
    const none = await general('jira.issues', { '/search/jql': { issues: [] } })
    expect(await none.ask()).toMatchObject({ grade: 'D', matches: [] })
    const alike = { id: '11', fields: { labels: ['op-12'] } }
    expect(await (await general('jira.issues', { '/search/jql': { issues: [alike] } })).ask()).toMatchObject({
      matches: [],
    })
  })

  it('temporal.workflow: running is working, completed is done, and not found is no absence', async () => {
    const described = (status: string) => ({
      '/workflows/op-1': { workflowExecutionInfo: { status: `WORKFLOW_EXECUTION_STATUS_${status}` } },
      '/namespaces/default': {},
    })
    for (const [word, state] of [
      ['RUNNING', 'working'],
      ['COMPLETED', 'completed'],
      ['TERMINATED', 'failed'],
      ['CANCELED', 'cancelled'],
    ] as const)
      expect(await (await general('temporal.workflow', described(word))).ask()).toMatchObject({
        remote: { state },
      })
    const gone = await general('temporal.workflow', { '/workflows/op-1': 404, '/namespaces/default': {} })
    expect(await gone.ask()).toMatchObject({ completeness: 'complete', remote: { state: 'not_found' } })
    expect(await (await general('temporal.workflow', described('ODD'))).ask()).toMatchObject({
      completeness: 'failed',
    })
  })
})

describe('a transaction whose COMMIT was lost', () => {
  // The words of pg_xact_status in a table of our own: what they mean does not depend on who says them.
  const [probe] = SERVICE_CONTRACTS['postgres.transaction']?.probes ?? []

  it.each([
    ['committed', 'completed'],
    ['aborted', 'failed'],
    ['in progress', 'working'],
    [null, 'not_found'],
  ])('that the server calls %s is %s', async (status, state) => {
    const folder = mkdtempSync(join(tmpdir(), 'xact-'))
    const database = new Database(join(folder, 'app.db'))
    database.exec('create table xact (xid text, status text)')
    database.prepare('insert into xact values (?, ?)').run('771', status)
    database.close()
    if (probe?.kind !== 'sql') throw new Error('it is no sql probe')
    const asked: SingleProbe = {
      ...probe,
      database: 'app.db',
      query: 'select * from xact where xid = $1',
      params: ['{external_id.xid}'],
    }
    const seen = await askProbe(asked, {
      facts: someFacts({ external_id: { xid: '771' } }),
      world: aWorld({ folder }),
      settleMs: undefined,
    })
    expect(seen).toMatchObject({ grade: 'A', completeness: 'complete', remote: { state } })
    if (state === 'failed') expect(seen).toMatchObject({ remote: { left_nothing: true } })
  })
})

describe('a source that keeps its records for a time', () => {
  it('concludes nothing after it: Slack shows 90 days', async () => {
    const ledger = await aLedger()
    const fake = await fakeOf(({ url }) => ({
      status: 200,
      body: url.pathname.endsWith('info')
        ? { ok: true, channel: { is_member: true } }
        : { ok: true, messages: [], has_more: false },
    }))
    const { lost, ask } = contracted({
      service: 'slack.messages',
      with: { api: fake.url, channel: 'C1' },
      env: { SLACK_BOT_TOKEN: 'xoxb-1234' },
      ledger,
    })
    await lost('op-143')
    ledger.clock.advance(91 * 86_400_000)
    expect(await ask('op-143')).toMatchObject({
      status: 'unknown',
      waits_for: 'person',
      reason: 'the source keeps 90d, the action is 91d old: it cannot tell any more',
    })
  })
})
