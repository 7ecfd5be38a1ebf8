import type { Story } from '../moments.js'

const ANA = 'git:ana@example.com'
const LEE = 'flag:lee'

/** What people settled: done by hand, certainly not done, given up, contradicted afterwards, put off, claimed. */
export const byHand: Story = (tell, now) => {
  const task_id = 'crm-sync'
  const contact = (name: string) => ({
    operation_id: `crm-sync/${name}`,
    task_id,
    tool: 'crm.create_contact',
    effect: 'compensable' as const,
    target: 'crm.example',
    input: { name },
  })
  const lost = (name: string, ago: string) => {
    tell(ago, world => world.prepare(contact(name)))
    tell(ago, world => world.send(`crm-sync/${name}`))
    tell(ago, world => world.lose(`crm-sync/${name}`, 'timeout', 'no answer within 30 s'))
  }
  tell('9d', world => world.task({ task_id, goal: 'Copy new customers into the CRM', agent: 'crm-agent' }))

  tell('8d', world => world.prepare(contact('Mara')))
  tell('8d', world => world.send('crm-sync/Mara'))
  tell('8d', world => world.reject('crm-sync/Mara', 'quota', 'monthly quota of contacts exceeded'))
  tell('7d', world =>
    world.as(ANA).resolve('crm-sync/Mara', {
      as: 'confirmed',
      evidence: ['ticket OPS-12'],
      externalIds: [{ kind: 'contact', value: 'c-88', url: 'https://crm.example/c-88' }],
      reason: 'created in the console',
    }),
  )

  lost('Ilja', '6d')
  tell('5d', world =>
    world.as(LEE).resolve('crm-sync/Ilja', {
      as: 'not_executed',
      evidence: ['searched the CRM by name and by mail address'],
      reason: 'it is not there',
    }),
  )

  lost('Sam', '6d')
  tell('5d', world =>
    world.as(LEE).abandon('crm-sync/Sam', { reason: 'the account was deleted, nobody can look' }),
  )

  // Settled too early: the receipt came afterwards.
  lost('Yuki', '30h')
  tell('29h59m', world =>
    world.as(LEE).resolve('crm-sync/Yuki', {
      as: 'not_executed',
      evidence: ['not in the list yet'],
      reason: 'the customer waits',
      early: true,
    }),
  )
  tell('28h', world => world.contradict('crm-sync/Yuki', 1, { ids: [{ kind: 'contact', value: 'c-97' }] }))

  lost('Paulo', '20h')
  tell('19h', world =>
    world.as(ANA).resolve('crm-sync/Paulo', { as: 'confirmed', evidence: ['contact c-99'], reason: 'there' }),
  )
  tell('18h', world => world.as(LEE).reopen('crm-sync/Paulo', { reason: 'c-99 is another Paulo' }))

  lost('Nadia', '10h')
  tell('9h', world =>
    world.as(ANA).defer('crm-sync/Nadia', {
      until: now + 86_400_000,
      reason: 'the CRM answers support mail by tomorrow',
    }),
  )

  lost('Tom', '8h')
  tell('20m', world => world.as(LEE).claim('crm-sync/Tom', { until: now + 2 * 3_600_000 }))
  tell('19m', world =>
    world.as(LEE).note('crm-sync/Tom', 'asked the CRM for its request log', { kind: 'finding' }),
  )

  lost('Risk', '50h')
  tell('48h', world =>
    world.as(ANA).resolve('crm-sync/Risk', {
      as: 'not_executed',
      withoutEvidence: true,
      reason: 'accepting the risk: a double contact is merged later',
    }),
  )
}
