import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aGitRemote } from '../services/git-remote.js'
import { contracted } from '../support/contract.js'

async function push(given: Record<string, string> = {}) {
  const ledger = await aLedger()
  const repository = aGitRemote()
  const shop = contracted({ service: 'git.push', with: { before: '{input.before}', ...given }, ledger })
  const base = repository.commit('base')
  repository.push(base)
  const input = (commit: string) => ({
    remote: repository.remote,
    ref: 'refs/heads/main',
    commit,
    before: base,
  })
  return { repository, base, input, ...shop }
}

describe('git.push', () => {
  it('confirms a push whose answer was lost, and one that others have built upon', async () => {
    const { repository, input, lost, ask } = await push()
    const ours = repository.commit('ours')
    repository.loseAnswers()
    expect(() => repository.push(ours)).toThrow()
    expect(repository.tip()).toBe(ours)
    await lost('op-1', input(ours))
    expect(await ask('op-1')).toMatchObject({
      outcome: 'confirmed',
      external_ids: [{ kind: 'commit', value: ours }],
    })
    const other = await push()
    const mine = other.repository.commit('mine')
    other.repository.push(other.repository.commit('on top'))
    await other.lost('op-1', other.input(mine))
    expect(await other.ask('op-1')).toMatchObject({ outcome: 'confirmed' })
  })

  it('is absent where the ref stands where it stood, after arrival and two reads', async () => {
    const { repository, input, lost, askTo } = await push()
    await lost('op-1', input(repository.commit('never pushed')))
    expect((await askTo('op-1', 3)).map(({ outcome }) => outcome)).toEqual([
      'in_doubt',
      'in_doubt',
      'not_executed',
    ])
  })

  it('is never absent where the ref moved elsewhere: ours may have been forced away', async () => {
    const { repository, base, input, lost, ask, pastArrival } = await push()
    const ours = repository.commit('ours')
    repository.push(ours)
    repository.push(repository.commit('theirs', base), 'refs/heads/main', '--force')
    await lost('op-1', input(ours))
    pastArrival()
    expect(await ask('op-1')).toMatchObject({
      outcome: 'in_doubt',
      rule: 'candidates',
      waits_for: 'person',
      reason: expect.stringContaining('which has not our commit'),
    })
  })

  it('is never absent where the ref is gone, and disagrees', async () => {
    const { repository, input, lost, ask, pastArrival, base } = await push()
    repository.push(base, 'refs/heads/other')
    await lost('op-1', { ...input(repository.commit('ours')), ref: 'refs/heads/other' })
    repository.remove('refs/heads/other')
    pastArrival()
    expect(await ask('op-1')).toMatchObject({ outcome: 'in_doubt', rule: 'disagreement' })
  })

  it('may be absent without a word of where the ref stood; a repository that is not there says nothing', async () => {
    const { repository, input, lost, ask, askTo, pastArrival } = await push({ before: '' })
    const ours = repository.commit('ours')
    await lost('op-1', input(ours))
    await lost('op-2', { ...input(ours), remote: '/nowhere/x.git' })
    pastArrival()
    expect((await askTo('op-1', 2)).at(-1)).toMatchObject({ outcome: 'not_executed' })
    expect(await ask('op-2')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })
})
