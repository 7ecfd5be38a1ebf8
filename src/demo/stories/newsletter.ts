import type { Story } from '../moments.js'

/** A mailing that is under way, and one batch of it that two attempts may be sending at the same time. */
export const newsletter: Story = tell => {
  const task_id = 'newsletter autumn'
  const batch = (n: number) => ({
    operation_id: `newsletter autumn/batch ${n}`,
    task_id,
    tool: 'mail.send_bulk',
    effect: 'irreversible' as const,
    target: 'list autumn',
    input: { list: 'autumn', batch: n, recipients: 3_000 },
    contract: { look_here: { check: `mailctl batches --list autumn --batch ${n}` } },
  })
  tell('6h', world =>
    world.task({ task_id, goal: 'Send the autumn newsletter to 12,000 readers', agent: 'mail-agent' }),
  )
  tell('5h', world => world.prepare(batch(1)))
  tell('5h', world => world.send('newsletter autumn/batch 1'))
  tell('4h', world =>
    world.confirm('newsletter autumn/batch 1', { ids: [{ kind: 'mailing', value: 'm-1' }] }),
  )

  // The lease of the first attempt ran out while it was still sending; a second one was allowed.
  const twice = 'newsletter autumn/batch 2'
  tell('4h', world => world.prepare(batch(2)))
  tell('4h', world => world.send(twice, { owner: 'worker-1/9b2e/77/4026531836.4026531834/120044/aa01' }))
  tell('3h59m30s', world => world.progress(twice, { sent: 900, of: 3_000 }))
  tell('3h50m', world => world.orphan(twice, 'lease_lapsed'))
  tell('2h', world =>
    world.as('git:ana@example.com').allowRetry(twice, {
      reason: 'the campaign ends today',
      acceptDuplicate: 'some readers get the mail twice',
    }),
  )
  tell('1h', world => world.send(twice, { leaseMs: 6 * 3_600_000 }))
  tell('40m', world => world.late(twice, 1, 'ambiguous'))
  tell('20m', world => world.progress(twice, { sent: 2_100, of: 3_000 }))

  const third = 'newsletter autumn/batch 3'
  tell('10m', world => world.prepare(batch(3)))
  tell('10m', world => world.send(third, { leaseMs: 45 * 60_000 }))
  tell('1m', world => world.progress(third, { sent: 1_800, of: 3_000 }))
  tell('9m', world => world.prepare(batch(4)))
}
