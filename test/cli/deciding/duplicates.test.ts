import { describe, expect, it } from 'vitest'
import { open } from './opened.js'

/** Confirmed by one receipt, and a later one names another object. */
async function doubled() {
  const ledger = await open()
  const { operation } = await ledger.confirmed()
  await ledger.ask(
    'ticket-1',
    {
      type: 'late_result',
      attempt: 1,
      fence: operation.lease_fence - 1,
      end: 'applied',
      external_ids: [{ kind: 'ticket', value: 'T-2' }],
      result: null,
      result_digest: null,
      error: null,
    },
    [{ kind: 'late_result', origin: 'observed', attempt: 1, body: { id: 'T-2' } }],
  )
  return ledger
}

const acknowledge = (...more: readonly string[]) => [
  'resolve',
  'ticket-1',
  '--acknowledge-duplicates',
  ...more,
]

describe('two objects with one id', () => {
  it('stay in the queue until a person acknowledges them, and on record for ever', async () => {
    const { cli, operation } = await doubled()
    expect((await cli(['list', '--jsonl'])).out).toContain('ticket-1')
    expect((await cli(['check', '--fail-on', 'duplicates'])).code).toBe(12)
    expect((await cli(['show', 'ticket-1'])).out).toContain('agent-ledger resolve --acknowledge-duplicates')
    const done = await cli(acknowledge('--reason', 'T-2 was closed as a duplicate', '--yes'))
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('stays confirmed')])
    expect((await operation())?.flags).toMatchObject({
      acknowledged_duplicates: 'T-2 was closed as a duplicate',
    })
    expect((await operation())?.by_hand).toBeNull()
    expect((await cli(['list', '--jsonl'])).out).toBe('')
    expect((await cli(['check', '--fail-on', 'duplicates'])).code).toBe(0)
    expect((await cli(['show', 'ticket-1'])).out).toContain('T-2 was closed as a duplicate')
    expect((await cli(['verify'])).code).toBe(0)
  })

  it('cannot be acknowledged twice, nor where there are none', async () => {
    const { cli } = await doubled()
    await cli(acknowledge('--reason', 'r', '--yes'))
    const twice = await cli(acknowledge('--reason', 'r', '--yes'))
    expect([twice.code, twice.err]).toEqual([7, expect.stringContaining('were acknowledged already')])
    const single = await open()
    await single.confirmed()
    expect((await single.cli(acknowledge('--reason', 'r', '--yes'))).code).toBe(7)
  })

  it.each([[['--as', 'confirmed']], [['--evidence', 'e']], [['--unknown']]])(
    'is no settlement: %j',
    async more => {
      const { cli } = await doubled()
      expect((await cli(acknowledge('--reason', 'r', '--yes', ...more))).code).toBe(2)
    },
  )
})
