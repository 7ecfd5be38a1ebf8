import { describe, expect, it } from 'vitest'
import { resolveDocument } from '../../../src/core/documents/resolve-schema.js'
import type { Request } from '../../../src/core/transitions/requests.js'
import { OWNER } from '../../ledger/support/a-ledger.js'
import { open } from './opened.js'

const settle = ['--as', 'not-executed', '--evidence', 'e', '--reason', 'it was down']

/** 18 in doubt, 5 of them of task r1. */
async function eighteenUnknown() {
  const ledger = await open()
  for (let i = 1; i <= 18; i++)
    await ledger.lost({
      operation_id: `op-${i}`,
      task_id: i <= 5 ? 'r1' : 'r2',
      tool: i % 2 === 0 ? 'mail' : 'charge',
      input: i,
      idempotency_key: `key-${i}`,
      repeat: { kind: 'conditional', names: 'permanent' },
    })
  const statuses = async (...ids: readonly number[]) =>
    Promise.all(ids.map(async i => (await ledger.operation(`op-${i}`))?.status))
  return { ...ledger, statuses }
}

type Ledger = Awaited<ReturnType<typeof eighteenUnknown>>

async function busyAgain({ ask }: Ledger) {
  const send: Request = { type: 'send', owner: OWNER, lease_ms: 60_000, epoch: null, fence: null }
  await ask('op-5', { type: 'resend' })
  await ask('op-5', send)
}

describe('a decision on many', () => {
  it('shows how many and which, and needs a yes', async () => {
    const ledger = await eighteenUnknown()
    const no = await ledger.cli(['resolve', '--task', 'r1', ...settle], { answers: ['n'] })
    expect(no.code).toBe(130)
    expect(no.err).toContain('5 operations as not_executed:')
    for (let i = 1; i <= 5; i++) expect(no.err).toContain(`  op-${i}  unknown, `)
    expect(no.err).not.toContain('op-6')
    expect(await ledger.statuses(1, 5, 6)).toEqual(['unknown', 'unknown', 'unknown'])
    const [asked = ''] = no.asked
    const code = /Type (\S+) to confirm/.exec(asked)?.[1] ?? 'y'
    const yes = await ledger.cli(['resolve', '--task', 'r1', ...settle], { answers: [code] })
    expect(yes.code).toBe(0)
    expect(await ledger.statuses(1, 2, 3, 4, 5, 6)).toEqual([...Array(5).fill('not_executed'), 'unknown'])
  })

  it('without a terminal wants --yes and their number, and refuses another number', async () => {
    const ledger = await eighteenUnknown()
    const bare = await ledger.cli(['resolve', '--task', 'r1', ...settle, '--yes'])
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('--yes --expect 5')])
    const four = await ledger.cli(['resolve', '--task', 'r1', ...settle, '--yes', '--expect', '4'])
    expect([four.code, four.err]).toEqual([5, expect.stringContaining('5 are chosen, 4 were expected')])
    expect(await ledger.statuses(1, 5)).toEqual(['unknown', 'unknown'])
    const five = await ledger.cli(['resolve', '--task', 'r1', ...settle, '--yes', '--expect', '5', '--json'])
    expect(five.code).toBe(0)
    const lines = five.out
      .trimEnd()
      .split('\n')
      .map(line => resolveDocument.parse(JSON.parse(line)))
    expect(lines.map(({ operation_id, outcome }) => [operation_id, outcome])).toEqual(
      ['op-1', 'op-2', 'op-3', 'op-4', 'op-5'].map(id => [id, 'done']),
    )
  })

  it.each([
    ['no selector', [], 2],
    ['one operation and a selector', ['op-1', '--task', 'r1'], 2],
    ['a file and a selector', ['--file', 'x.yaml', '--task', 'r1'], 2],
    ['a number for one operation', ['op-1', '--expect', '1'], 2],
    ['a task that is not there', ['--task', 'r9'], 4],
    ['a choice of nothing', ['--tool', 'nothing'], 4],
    ['what belongs to one operation', ['--task', 'r1', '--expect-version', '3'], 2],
  ])('refuses %s', async (_, given, code) => {
    const ledger = await eighteenUnknown()
    expect((await ledger.cli(['resolve', ...given, ...settle, '--yes'])).code).toBe(code)
    expect(await ledger.statuses(1, 18)).toEqual(['unknown', 'unknown'])
  })

  it.each([
    [['--unknown'], 18],
    [['--tool', 'mail'], 9],
    [['--tool', 'mail', '--task', 'r1'], 2],
  ])('chooses by %j what list shows', async (selectors, count) => {
    const ledger = await eighteenUnknown()
    const listed = await ledger.cli([
      'list',
      '--unknown',
      ...selectors.filter(one => one !== '--unknown'),
      '--json',
    ])
    const { operations } = JSON.parse(listed.out)
    expect(operations).toHaveLength(count)
    const many = await ledger.cli([
      'abandon',
      ...selectors,
      '--reason',
      'x',
      '--yes',
      '--expect',
      String(count),
    ])
    expect(many.code).toBe(0)
  })

  it('chooses by what they failed of', async () => {
    const ledger = await eighteenUnknown()
    const { operations } = JSON.parse(
      (await ledger.cli(['list', '--unknown', '--tool', 'mail', '--json'])).out,
    )
    const chosen = ['--cause', String(operations[0].cause)]
    const listed = JSON.parse((await ledger.cli(['list', '--unknown', ...chosen, '--json'])).out)
    expect(listed.operations).toHaveLength(9)
    const many = await ledger.cli(['abandon', ...chosen, '--reason', 'x', '--yes', '--expect', '9'])
    expect([many.code, await ledger.statuses(1, 2)]).toEqual([0, ['unknown', 'abandoned']])
  })

  it('O6: decides none when one is busy again, and names it; or leaves it out and says so', async () => {
    const ledger = await eighteenUnknown()
    const argv = ['resolve', '--task', 'r1', ...settle]
    // The person looks, and while they do an executor sends one of the five again.
    const none = await ledger.cli(argv, { answers: [], onAsk: () => busyAgain(ledger) })
    expect(none.code).toBe(5)
    expect(none.err).toContain('none of 5 was decided: op-5 is in_flight at version 5 now')
    expect(await ledger.statuses(1, 2, 3, 4, 5)).toEqual([...Array(4).fill('unknown'), 'in_flight'])
  })

  it('leaves out what changed where --skip-changed says so, with an exit code of its own', async () => {
    const ledger = await eighteenUnknown()
    const argv = ['resolve', '--task', 'r1', ...settle, '--skip-changed']
    const four = await ledger.cli(argv, { answers: [], onAsk: () => busyAgain(ledger) })
    expect(four.code).toBe(6)
    expect(four.err).toContain('left out: op-5 is in_flight at version 5 now')
    expect(four.err).toContain('4 of 5 decided')
    expect(await ledger.statuses(1, 2, 3, 4, 5)).toEqual([...Array(4).fill('not_executed'), 'in_flight'])
  })

  it('is refused for all where a safety rule refuses it for one, before anybody is asked', async () => {
    const ledger = await open(0)
    await ledger.lost({ operation_id: 'op-1' })
    const { code, err, asked } = await ledger.cli(['resolve', '--unknown', ...settle], { answers: ['y'] })
    expect([code, asked]).toEqual([7, []])
    expect(err).toContain('none of 1 was decided: op-1: an attempt can still arrive')
  })

  it('grants attempts to many', async () => {
    const ledger = await eighteenUnknown()
    const argv = ['allow-retry', '--task', 'r1', '--reason', 'again', '--yes', '--expect', '5']
    expect((await ledger.cli(argv)).code).toBe(0)
    expect(await ledger.statuses(1, 5, 6)).toEqual(['prepared', 'prepared', 'unknown'])
  })
})

describe('what people settled', () => {
  it('is listed by --by-hand with who did it, and is marked in every list', async () => {
    const ledger = await open()
    await ledger.confirmed({ operation_id: 'op-171', input: 1 })
    await ledger.lost({ operation_id: 'op-172', input: 2 })
    await ledger.cli(['resolve', 'op-172', '--as', 'confirmed', '--evidence', 'e', '--reason', 'r', '--yes'])
    const listed = await ledger.cli(['list', '--by-hand'])
    expect(listed.out).toContain('by hand (ana)')
    expect(listed.out).not.toContain('op-171')
    const { operations } = JSON.parse((await ledger.cli(['list', '--all', '--json'])).out)
    expect(
      operations.map(({ operation_id, by_hand }: { operation_id: string; by_hand: unknown }) => [
        operation_id,
        by_hand,
      ]),
    ).toEqual([
      ['op-171', null],
      ['op-172', { by: 'flag:ana' }],
    ])
    const report = JSON.parse((await ledger.cli(['report', 'task-1', '--json'])).out)
    expect(report.confirmed).toMatchObject([{ by_hand: null }, { by_hand: { by: 'flag:ana' } }])
  })
})
