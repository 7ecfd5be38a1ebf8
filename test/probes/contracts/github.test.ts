import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { startGithub } from '../services/github.js'
import { contracted } from '../support/contract.js'

const MINUTE = 60_000
const INPUT = { repo: 'acme/shop', title: 'Disk full', body: 'on web-1', issue_number: 1 }
const mark = (id: string) => `on web-1\n\n<!-- agent-ledger:${id} -->`

async function github(service: string, given: Record<string, string> = {}, options = {}) {
  const ledger = await aLedger()
  const fake = await startGithub({ now: () => ledger.clock().at, ...options })
  const env = { GITHUB_TOKEN: 'tok_writer', OTHER: 'tok_reader', REVOKED: 'tok_revoked', STRANGER: 'tok_x' }
  const shop = contracted({ service, with: { api: fake.url, ...given }, env, ledger })
  return { fake, ...shop }
}

describe('github.issues', () => {
  it('confirms the issue with our mark, with its address, number and result, on whatever page it stands', async () => {
    const { fake, ledger, lost, ask } = await github('github.issues')
    await lost('op-1', INPUT)
    for (const n of [1, 2, 3]) fake.add('issues', { title: `other ${n}`, body: mark(`op-1${n}`) })
    const ours = fake.add('issues', { title: 'Disk full', body: mark('op-1') })
    const url = `https://github.com/acme/shop/issues/${ours.number}`
    expect(await ask('op-1')).toMatchObject({
      outcome: 'confirmed',
      rule: 'found',
      external_ids: [{ kind: 'github_issue', value: url, url }],
    })
    const record = await ledger.store.operation('op-1')
    expect(record?.operation.result).toEqual({ number: ours.number, url, node_id: `N_${ours.id}` })
    expect(record?.evidence.at(-1)?.body).toMatchObject({
      observation: { grade: 'C', request: { contract: 'github.issues@1', count: 3 } },
    })
    expect(JSON.stringify(record)).not.toContain('tok_writer')
  })

  it('is absent only after arrival, lag, two spaced reads of the whole list, with the repository readable', async () => {
    const { fake, lost, askTo, ledger } = await github('github.issues')
    fake.add('issues', { title: 'older', createdAt: ledger.clock().at - 120 * MINUTE })
    await lost('op-1', INPUT)
    const said = await askTo('op-1', 3)
    expect(said.map(({ outcome }) => outcome)).toEqual(['in_doubt', 'in_doubt', 'not_executed'])
    expect(said[0]?.reason).toContain('too early to believe an absence')
    expect(said[0]?.next_look_at).not.toBeNull()
    // The list is asked for from an hour before the sending on, by whatever clock.
    expect(fake.requests.at(-1)?.url).toContain('since=2026-03-10T11%3A00%3A00Z')
  })

  it('sees what the list shows eight minutes later, and does not call it absent before', async () => {
    const { fake, lost, askTo } = await github('github.issues', {}, { lagMs: 8 * MINUTE })
    await lost('op-1', INPUT)
    fake.add('issues', { title: 'Disk full', body: mark('op-1') })
    expect((await askTo('op-1', 2)).map(({ outcome }) => outcome)).toEqual(['in_doubt', 'confirmed'])
  })

  it('keeps what a service of a slower clock made', async () => {
    const { fake, lost, ask, ledger } = await github('github.issues')
    await lost('op-1', INPUT)
    fake.add('issues', { body: mark('op-1'), createdAt: ledger.clock().at - 20 * MINUTE })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
  })

  it.each([
    ['a primary limit', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1773144600' }],
    ['a secondary limit', 429, { 'retry-after': '300' }],
    ['a secondary limit with 403', 403, { 'retry-after': '300' }],
  ])('waits as %s says, and concludes nothing', async (_, status, headers) => {
    const { fake, lost, ask, pastArrival, ledger } = await github('github.issues')
    await lost('op-1', INPUT)
    pastArrival()
    fake.trouble({
      on: '/issues',
      status,
      headers: { ...headers, date: new Date(ledger.clock().at - 5 * 60 * MINUTE).toUTCString() },
    })
    const body = await ask('op-1')
    expect(body).toMatchObject({
      outcome: 'probe_failed',
      status: 'unknown',
      rule: 'not_answered',
      waits_for: 'time',
    })
    expect(Date.parse(body.next_look_at ?? '') - ledger.clock().at).toBeGreaterThanOrEqual(300_000)
  })

  it.each([
    ['is cut off', { cut: 'within' as const, times: 3 }],
    ['never comes', { cut: 'before' as const, times: 3 }],
    ['is a 502', { status: 502, body: '<html>', times: 3 }],
    ['is a web page', { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['is an error in a 200', { status: 200, body: { message: 'Server Error' } }],
  ])('concludes nothing where a page of the list %s', async (_, trouble) => {
    const { fake, lost, ask, pastArrival } = await github('github.issues')
    await lost('op-1', INPUT)
    pastArrival()
    for (const n of [1, 2, 3]) fake.add('issues', { title: `other ${n}` })
    fake.trouble({ on: 'page=2', ...trouble })
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })

  it.each([
    ['REVOKED', 'the credential is not accepted'],
    ['STRANGER', '404'],
  ])('never takes what %s may not see for absent', async (token, why) => {
    const { lost, ask, pastArrival } = await github('github.issues', { token }, {})
    await lost('op-1', INPUT)
    pastArrival()
    const body = await ask('op-1')
    expect(body.outcome === 'probe_failed' || body.outcome === 'not_asked').toBe(true)
    if (token === 'REVOKED') expect(body.reason).toContain(why)
  })

  it('marks two of them, chooses none, and keeps both ids', async () => {
    const { fake, lost, ask, ledger } = await github('github.issues')
    await lost('op-1', INPUT)
    for (const _ of [1, 2]) fake.add('issues', { body: mark('op-1') })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed', rule: 'duplicates', duplicates: true })
    const record = await ledger.store.operation('op-1')
    expect(record?.operation).toMatchObject({ flags: { duplicates: true }, result: null })
    expect(record?.external_ids).toHaveLength(2)
  })

  it('hands to a person what only looks alike, and what carries our mark and is by somebody else', async () => {
    const { fake, lost, ask, pastArrival } = await github('github.issues', { author: 'acme-bot' })
    await lost('op-1', INPUT)
    pastArrival()
    fake.add('issues', { title: 'Disk full', body: 'me too', login: 'mallory' })
    expect(await ask('op-1')).toMatchObject({
      outcome: 'in_doubt',
      rule: 'candidates',
      waits_for: 'person',
      candidates: [{ matched_by: 'attributes' }],
    })
    fake.add('issues', { title: 'copied', body: mark('op-1'), login: 'mallory' })
    expect(await ask('op-1', { early: true })).toMatchObject({ rule: 'candidates', candidates: [{}, {}] })
    fake.add('issues', { title: 'ours', body: mark('op-1') })
    expect(await ask('op-1', { early: true })).toMatchObject({ outcome: 'confirmed' })
  })

  it('takes neither a pull request nor an issue with the mark of another operation for its own', async () => {
    const { fake, lost, askTo, pastArrival } = await github('github.issues')
    await lost('op-1', INPUT)
    pastArrival()
    fake.add('issues', { body: mark('op-1'), pull_request: { url: 'x' } })
    fake.add('issues', { title: 'Disk full', body: mark('op-2') })
    const said = await askTo('op-1', 2)
    expect(said.at(-1)).toMatchObject({ outcome: 'not_executed' })
  })

  it('is no help where nobody may be asked: no variable, no value for a placeholder', async () => {
    const { lost, ask, fake } = await github('github.issues', { token: 'NOT_THERE' })
    await lost('op-1', INPUT)
    expect((await ask('op-1')).reason).toContain('the environment has no NOT_THERE')
    const other = await github('github.issues')
    await other.lost('op-1', { title: 'x' })
    expect((await other.ask('op-1')).reason).toContain('{+input.repo}')
    expect([...fake.asked, ...other.fake.asked]).toEqual([])
  })
})

describe('github.comments', () => {
  it('finds its own on the last page, and nothing is absent while the issue cannot be read', async () => {
    const { fake, lost, ask, pastArrival } = await github('github.comments')
    await lost('op-1', INPUT)
    pastArrival()
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
    fake.add('issues', { number: 1 })
    for (const n of [1, 2, 3, 4]) fake.add('comments', { body: `nice ${n}` })
    fake.add('comments', { body: mark('op-1') })
    expect(await ask('op-1', { early: true })).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'github_comment' }],
    })
  })

  it('hands to a person a comment of the same words without a mark', async () => {
    const { fake, lost, ask } = await github('github.comments')
    await lost('op-1', INPUT)
    fake.add('issues', { number: 1 })
    fake.add('comments', { body: 'on web-1' })
    expect(await ask('op-1')).toMatchObject({ outcome: 'in_doubt', rule: 'candidates', waits_for: 'person' })
  })
})

describe('github.releases', () => {
  const release = { repo: 'acme/shop', tag_name: 'v1.0.0' }

  it('finds the draft that it made, and never says absent where drafts are hidden', async () => {
    const { fake, lost, ask } = await github('github.releases')
    await lost('op-1', release)
    fake.add('releases', { tag_name: 'v1.0.0', draft: true, body: mark('op-1') })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
    const reader = await github('github.releases', { token: 'OTHER' })
    await reader.lost('op-1', release)
    reader.pastArrival()
    expect(await reader.ask('op-1')).toMatchObject({
      outcome: 'in_doubt',
      waits_for: 'person',
      reason: expect.stringContaining('nothing there may be hidden'),
    })
  })

  it('hands to a person a release of the tag that somebody else made', async () => {
    const { fake, lost, ask } = await github('github.releases')
    await lost('op-1', release)
    fake.add('releases', { tag_name: 'v1.0.0', body: 'by hand' })
    expect(await ask('op-1')).toMatchObject({ rule: 'candidates', waits_for: 'person' })
  })
})

describe('github.refs', () => {
  const ref = { repo: 'acme/shop', ref: 'heads/fix', sha: 'a'.repeat(40) }

  it('confirms the ref at our object, and hands one at another object to a person', async () => {
    const { fake, lost, ask } = await github('github.refs')
    await lost('op-1', ref)
    fake.refs.set('refs/heads/fix', 'b'.repeat(40))
    expect(await ask('op-1')).toMatchObject({
      rule: 'candidates',
      waits_for: 'person',
      reason: expect.stringContaining('ours is aaa'),
    })
    fake.refs.set('refs/heads/fix', ref.sha)
    expect(await ask('op-1', { early: true })).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'github_ref' }],
    })
  })

  it('is absent after two reads, and not where the repository cannot be seen', async () => {
    const { lost, askTo, pastArrival } = await github('github.refs')
    await lost('op-1', ref)
    pastArrival()
    expect((await askTo('op-1', 2)).at(-1)).toMatchObject({ outcome: 'not_executed' })
    const stranger = await github('github.refs', { token: 'STRANGER' })
    await stranger.lost('op-1', ref)
    stranger.pastArrival()
    expect((await stranger.askTo('op-1', 3)).at(-1)).toMatchObject({ status: 'unknown', waits_for: 'person' })
  })
})
