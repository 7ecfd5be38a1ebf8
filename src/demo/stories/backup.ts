import type { Story } from '../moments.js'

/** A run that ended well two weeks ago: nothing is left to do about it. */
export const backup: Story = tell => {
  const task_id = 'nightly-backup 2026-11-15'
  tell('14d', world =>
    world.task({ task_id, goal: 'Back up the three databases and rotate the oldest', agent: 'backup-agent' }),
  )
  for (const database of ['orders', 'users', 'events']) {
    const id = `${task_id}/${database}`
    tell('14d', world =>
      world.prepare({
        operation_id: id,
        task_id,
        tool: 'backup.store',
        effect: 'reversible',
        target: `bucket/${database}`,
        input: { database },
        repeat: { kind: 'idempotent' },
      }),
    )
    tell('14d', world => world.send(id))
    tell('14d', world =>
      world.confirm(id, { ids: [{ kind: 'object', value: `s3://backups/${database}-1115` }] }),
    )
  }
  tell('14d', world => world.setStatus(task_id, 'completed', 'three of three stored'))
}
