import type { Story } from '../moments.js'

const keyed = { kind: 'idempotency_key', retention_ms: 86_400_000, scope: 'account acct_1' } as const

/** Money: a charge that was paid back, one that may have been taken twice, one that waits for its retry. */
export const payments: Story = tell => {
  const task_id = 'billing/2026-11'
  tell('2d', world =>
    world.task({ task_id, goal: 'Charge the open invoices of November', agent: 'billing-agent' }),
  )

  const charge = (id: string, customer: string, amount: number) => ({
    operation_id: id,
    task_id,
    tool: 'payments.charge',
    effect: 'compensable' as const,
    target: customer,
    input: { customer, amount, currency: 'EUR' },
    amount,
    repeat: keyed,
    timeout_ms: 30_000,
    contract: {
      look_here: { url: `https://pay.example/customers/${customer}` },
      compensate: {
        tool: 'payments.refund',
        input: { charge: '{external_id.charge}', amount: '{input.amount}' },
        effect: 'irreversible' as const,
      },
    },
  })
  const paid = 'billing/2026-11/charge-9'
  tell('47h', world => world.prepare(charge(paid, 'cus_Lena', 4200)))
  tell('47h', world => world.send(paid))
  tell('47h', world =>
    world.confirm(paid, { ids: [{ kind: 'charge', value: 'ch_901' }], result: { id: 'ch_901' } }),
  )
  const refund = 'billing/2026-11/refund-9'
  tell('46h', world =>
    world.prepare({
      operation_id: refund,
      task_id,
      tool: 'payments.refund',
      effect: 'irreversible',
      target: 'cus_Lena',
      input: { charge: 'ch_901' },
      amount: 4200,
      compensates: paid,
    }),
  )
  tell('46h', world => world.send(refund))
  tell('46h', world => world.confirm(refund, { ids: [{ kind: 'refund', value: 're_100' }] }))

  // A loop that went around the library retried under another id, 33 seconds later, with a time-out of 30; what it
  // did was brought in from its own records.
  const once = 'billing/2026-11/charge-10'
  tell('3h', world => world.prepare(charge(once, 'cus_Amir', 1999)))
  tell('3h', world => world.send(once))
  tell('3h', world => world.confirm(once, { ids: [{ kind: 'charge', value: 'ch_910' }] }))
  tell('2h59m27s', world =>
    world.bringIn(charge(`${once}-again`, 'cus_Amir', 1999), {
      ids: [{ kind: 'charge', value: 'ch_911' }],
      why: 'The log of the payment script has a charge for it.',
    }),
  )

  const unclear = 'billing/2026-11/charge-11'
  tell('90m', world => world.prepare(charge(unclear, 'cus_Noor', 89_900)))
  tell('90m', world => world.send(unclear))
  tell('89m', world =>
    world.lose(unclear, 'connection_lost', 'read ECONNRESET after the request was written'),
  )

  const limited = 'billing/2026-11/charge-12'
  tell('4m', world => world.prepare(charge(limited, 'cus_Olu', 1250)))
  tell('4m', world => world.send(limited))
  tell('4m', world =>
    world.retryLater(limited, { rule: 'rate_limited', message: '429, Retry-After: 3600' }, 3_600_000),
  )

  const waiting = 'billing/2026-11/charge-13'
  tell('50m', world =>
    world.prepare({ ...charge(waiting, 'cus_Big', 1_250_000), contract: { approval: 'required' } }),
  )
}
