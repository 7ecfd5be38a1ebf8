import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from '../../../src/config/json-schema.js'
import { parseConfig } from '../../../src/config/load.js'
import type { SingleProbe } from '../../../src/core/probe.js'
import { SERVICE_CONTRACTS, serviceContract } from '../../../src/probes/contracts/index.js'
import { askProbe, planProbe, termsOf } from '../../../src/probes/index.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { fakeOf } from '../services/service.js'
import { aWorld, someFacts } from '../support/asking.js'
import { contracted } from '../support/contract.js'

const NAMES = Object.keys(SERVICE_CONTRACTS)

/** Something for every parameter that has to be given. */
function given(service: string, over: Record<string, string> = {}): Record<string, string> {
  const { parameters = {} } = SERVICE_CONTRACTS[service] ?? {}
  const wanted = Object.entries(parameters).flatMap(([name, { default: usual }]) =>
    usual === undefined
      ? [
          [
            name,
            name === 'region' ? 'eu-central-1' : name === 'object' ? 'charges' : 'https://service.example',
          ],
        ]
      : [],
  )
  return { ...Object.fromEntries(wanted), ...over }
}

const yamlOf = (service: string, over: Record<string, string> = {}) =>
  `tools:\n  write:\n    service: ${service}\n    with: ${JSON.stringify(given(service, over))}\n`

describe('every ready contract', () => {
  it.each(NAMES)('%s is a configuration that holds, with all that the schema of a probe asks', service => {
    const tool = parseConfig(yamlOf(service), '/x/agent-ledger.yaml').tools.write
    const contract = SERVICE_CONTRACTS[service]
    expect(tool?.effect).toBe(contract?.effect)
    expect(tool?.contract.arrival_bound_ms).toBe(contract?.arrival_ms)
    expect(tool?.contract.probe).toMatchObject({ kind: 'service', service })
    expect(contract?.answers.length).toBeGreaterThan(0)
    for (const { url, read } of contract?.sources ?? []) {
      expect(URL.canParse(url)).toBe(true)
      expect(read === null || /^20\d\d-\d\d$/.test(read)).toBe(true)
    }
    expect(contract?.sources.length).toBeGreaterThan(0)
  })

  it.each(NAMES)('%s leaves no parameter unfilled, and every parameter means something to it', service => {
    const contract = serviceContract({ service, with: given(service) })
    if ('problem' in contract) throw new Error(contract.problem)
    const { repeat, look_here, probes } = contract
    expect(JSON.stringify({ repeat, look_here, probes })).not.toContain('{with.')
    const raw = JSON.stringify(SERVICE_CONTRACTS[service])
    for (const name of Object.keys(SERVICE_CONTRACTS[service]?.parameters ?? {}))
      expect(raw).toContain(`{with.${name}}`)
  })

  it.each(NAMES)(
    '%s waits for the lag of lists, asks at least twice, and never proves by a search',
    service => {
      for (const probe of SERVICE_CONTRACTS[service]?.probes ?? []) {
        const { settle_ms, reads, spacing_ms } = termsOf(probe, undefined)
        expect(reads).toBeGreaterThanOrEqual(2)
        expect(spacing_ms).toBeGreaterThanOrEqual(60_000)
        if (probe.grade === 'C') expect(settle_ms).toBeGreaterThanOrEqual(5 * 60_000)
      }
    },
  )

  it.each(NAMES)('%s says what it would ask, or what it lacks to ask it', service => {
    const { probes } = { probes: [], ...serviceContract({ service, with: given(service) }) }
    for (const probe of probes as readonly SingleProbe[]) // of what holds no problem
      expect(planProbe(probe, someFacts(), aWorld()).length).toBeGreaterThan(0)
  })
})

describe('the example', () => {
  it('has a tool of every ready contract', () => {
    const path = 'examples/contracts/agent-ledger.yaml'
    const { tools } = parseConfig(readFileSync(path, 'utf8'), path)
    expect(
      Object.values(tools)
        .map(({ service }) => service)
        .sort(),
    ).toEqual([...NAMES].sort())
  })
})

describe('a tool that names a service', () => {
  const mistake = (yaml: string) => {
    try {
      parseConfig(yaml, '/x/agent-ledger.yaml')
      return undefined
    } catch (error) {
      return JSON.stringify(Object(error).facts)
    }
  }

  it('declares what goes before the contract, and keeps the rest of it', () => {
    const text = `${yamlOf('stripe.v1', { object: 'refunds' })}    effect: irreversible
    repeat: { kind: idempotency_key, retention: 12h }
    settle: 30m
    classify: [{ when: { status: 503 }, end: not_applied, reason: ours }]
    look_here: { check: 'ask ana' }
`
    const tool = parseConfig(text, '/x/agent-ledger.yaml').tools.write
    expect(tool).toMatchObject({
      effect: 'irreversible',
      repeat: { kind: 'idempotency_key', retention_ms: 12 * 3_600_000 },
      contract: {
        arrival_bound_ms: 15 * 60_000,
        look_here: { check: 'ask ana', url: expect.stringContaining('dashboard.stripe.com') },
        probe: { settle_ms: 30 * 60_000 },
        ids: [{ kind: 'stripe_object' }, { in: 'error' }],
      },
    })
    expect(tool?.contract.classify?.[0]).toMatchObject({ reason: 'ours' })
    expect(tool?.contract.classify?.length).toBeGreaterThan(1)
  })

  it('keeps the retention of the service where it says none, and is refused a longer one', () => {
    const key = (more: string) => `${yamlOf('stripe.v1')}    repeat: { kind: idempotency_key${more} }\n`
    const { tools } = parseConfig(key(', scope: a'), '/x/agent-ledger.yaml')
    expect(tools.write?.repeat).toEqual({ kind: 'idempotency_key', retention_ms: 86_400_000, scope: 'a' })
    expect(mistake(key(', retention: 25h'))).toContain('stripe.v1 keeps a key for 1d')
    expect(mistake(key(', retention: 24h'))).toBeUndefined()
  })

  it.each([
    ['service: github.isues', 'did you mean github.issues'],
    ['service: stripe.v1', 'wants with.object'],
    ['service: stripe.v1\n    with: { object: charges, objekt: x }', 'knows no with.objekt'],
    ['with: { repo: x }', 'no service that it is for'],
    ['probe: { service: github.isues }', 'did you mean github.issues'],
  ])('%s is refused with its line', (line, says) => {
    const found = mistake(`tools:\n  write:\n    ${line}\n`)
    expect(found?.toLowerCase()).toContain(says.toLowerCase())
    expect(found).toMatch(/line [34]/)
  })

  it('is named in the JSON Schema for editors', () => {
    expect(JSON.stringify(configJsonSchema())).toContain('"github.issues"')
  })
})

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
