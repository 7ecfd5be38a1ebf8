import type { Story } from '../moments.js'

/** Tickets and pages of one incident: executors that died in three ways, and one ticket that exists twice. */
export const incident: Story = tell => {
  const task_id = 'incident-88'
  const ticket = (step: string, title: string) => ({
    operation_id: `${task_id}/${step}`,
    task_id,
    step,
    tool: 'tickets.create',
    effect: 'compensable' as const,
    target: 'tickets.example',
    input: { title, queue: 'OPS' },
    contract: {
      look_here: {
        url: 'https://tickets.example/search?q=incident-88',
        check: 'ticketctl search "incident-88"',
      },
    },
  })
  tell('26h', world =>
    world.task({
      task_id,
      goal: 'Disk full on db-3: open tickets, page the people on call, extend the volume',
      agent: 'ops-agent',
      thread: { source: 'langgraph', uri: 'checkpoints.db', thread_id: 'incident-88' },
    }),
  )
  tell('26h', world => world.prepare(ticket('open', 'Disk full on db-3')))
  tell('26h', world => world.send(`${task_id}/open`))
  tell('26h', world =>
    world.confirm(`${task_id}/open`, {
      ids: [{ kind: 'ticket', value: 'OPS-311', url: 'https://tickets.example/OPS-311' }],
      result: { id: 'OPS-311' },
    }),
  )
  tell('25h', world =>
    world.late(`${task_id}/open`, 1, 'applied', { ids: [{ kind: 'ticket', value: 'OPS-312' }] }),
  )

  tell('25h', world => world.prepare(ticket('escalate', 'db-3 is read-only')))
  tell('25h', world => world.send(`${task_id}/escalate`))
  tell('24h50m', world => world.orphan(`${task_id}/escalate`, 'lease_lapsed'))

  const page = `${task_id}/page`
  tell('24h', world =>
    world.prepare({
      operation_id: page,
      task_id,
      step: 'page',
      tool: 'pager.page',
      effect: 'irreversible',
      target: 'team-storage',
      input: { message: 'db-3 is out of space' },
    }),
  )
  tell('24h', world => world.send(page))
  tell('23h59m', world => world.orphan(page, 'owner_gone'))

  // Sent a minute ago by a program that died at once: nobody recorded it yet.
  const extend = `${task_id}/extend`
  tell('3h', world =>
    world.prepare({
      operation_id: extend,
      task_id,
      step: 'extend',
      tool: 'volumes.extend',
      effect: 'mitigable',
      target: 'vol-db-3',
      input: { volume: 'vol-db-3', gib: 200 },
      repeat: { kind: 'idempotent' },
      deadline_at: null,
    }),
  )
  tell('3h', world => world.send(extend))

  // A writer that takes no leases.
  const script = `${task_id}/cleanup`
  tell('2h', world =>
    world.prepare({
      operation_id: script,
      task_id,
      step: 'cleanup',
      tool: 'shell.run',
      input: { command: "export API_TOKEN='demo-token-4711' && cleanup --host db-3" },
      provenance: 'exec',
      timeout_ms: 600_000,
    }),
  )
  tell('2h', world => world.send(script, { leaseMs: null }))
}
