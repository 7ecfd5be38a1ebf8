import type { Story } from '../moments.js'

/** Tasks that somebody stopped: one taken over by a person, one cancelled, and a child that goes on alone. */
export const stopped: Story = tell => {
  tell('7h', world => world.task({ task_id: 'agent-13', goal: 'Tidy up the wiki', agent: 'wiki-agent' }))
  const page = (n: number) => ({
    operation_id: `agent-13/page-${n}`,
    task_id: 'agent-13',
    tool: 'wiki.rename',
    effect: 'reversible' as const,
    target: `page ${n}`,
    input: { page: n, title: 'Untitled' },
    repeat: { kind: 'idempotent' as const },
  })
  for (const n of [1, 2, 3]) {
    tell('6h', world => world.prepare(page(n)))
    if (n < 3) tell('6h', world => world.send(`agent-13/page-${n}`, { leaseMs: 3_600_000 }))
  }
  tell('6h', world => world.confirm('agent-13/page-1', { ids: [{ kind: 'revision', value: 'r-1' }] }))
  tell('5h30m', world =>
    world.as('git:ana@example.com').takeover('agent-13', 'it renames every page to Untitled'),
  )

  tell('4d', world => world.task({ task_id: 'dns-move', goal: 'Move example.org to the new name servers' }))
  tell('4d', world =>
    world.prepare({
      operation_id: 'dns-move/zone',
      task_id: 'dns-move',
      tool: 'dns.update',
      effect: 'mitigable',
      target: 'example.org',
      input: { ns: ['ns1.example', 'ns2.example'] },
    }),
  )
  tell('4d', world => world.send('dns-move/zone'))
  tell('4d', world => world.lose('dns-move/zone', 'eof', 'the connection ended before an answer came'))
  tell('4d', world =>
    world.prepare({
      operation_id: 'dns-move/mail',
      task_id: 'dns-move',
      tool: 'dns.update',
      input: { mx: 'mail.example' },
    }),
  )
  tell('3d', world =>
    world.as('git:bo@example.com').cancelTask('dns-move', 'the move was put off to January'),
  )

  tell('2d', world =>
    world.task({ task_id: 'dns-move/check', parent_task_id: 'dns-move', goal: 'Watch the old zone' }),
  )
  tell('2d', world =>
    world.prepare({
      operation_id: 'dns-move/check/probe',
      task_id: 'dns-move/check',
      tool: 'dns.look_up',
      effect: 'read',
      input: {},
    }),
  )
  tell('2d', world => world.send('dns-move/check/probe'))
  tell('2d', world => world.confirm('dns-move/check/probe', { result: { ns: 'old' } }))

  tell('45m', world =>
    world.task({ task_id: 'contract-review', goal: 'Send the contract once legal has read it' }),
  )
  tell('45m', world =>
    world.prepare({
      operation_id: 'contract-review/send',
      task_id: 'contract-review',
      tool: 'mail.send',
      effect: 'irreversible',
      target: 'legal@customer.example',
      input: { file: 'contract.pdf' },
      contract: { approval: 'required' },
    }),
  )
  tell('44m', world => world.setStatus('contract-review', 'waiting_approval', 'legal reads it'))
}
