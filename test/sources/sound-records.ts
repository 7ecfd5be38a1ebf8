import { expect } from 'vitest'
import type { ImportedRecord } from '../../src/core/imported.js'
import { checkId } from '../../src/core/operation-id.js'

/** What every record must keep, whatever the input was. */
export function expectSound(records: readonly ImportedRecord[]): void {
  const tasks = new Set<string>()
  const ids = new Set<string>()
  for (const record of records) {
    if (record.record === 'warning') continue
    if (record.record === 'task') tasks.add(checkId(record.task_id, 'task id'))
    expect(tasks).toContain(record.task_id)
    if (record.record !== 'operation') continue
    expect(ids).not.toContain(checkId(record.operation_id, 'operation id'))
    ids.add(record.operation_id)
    for (const { sent_at, ended_at } of record.attempts)
      if (sent_at !== null && ended_at !== null) expect(ended_at).toBeGreaterThanOrEqual(sent_at)
    const mayHaveApplied = record.attempts.some(({ end }) => end !== 'not_applied' && end !== 'absent')
    if (record.status === 'not_executed') expect(mayHaveApplied).toBe(false)
    if (record.status === 'confirmed') expect(record.attempts.some(({ end }) => end === 'applied')).toBe(true)
  }
}
