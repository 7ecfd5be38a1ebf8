import type { Task } from '../../core/task.js'
import { evolveTask } from '../../core/transitions/task.js'
import type { TaskEventBody } from '../../core/transitions/task-decided.js'
import type { Finding } from './finding.js'
import { checkLinks, checkPlaces, type EventLink } from './links.js'
import { differing } from './operation.js'

/** Recomputes one task from its events and compares. Pure. */
export function checkTask(ledger_id: string, row: Task, events: readonly EventLink[]): Finding[] {
  const of = { subject: 'task', id: row.task_id } as const
  const findings = [
    ...checkLinks(
      { ledger_id, subject: 'task', subject_id: row.task_id, links: events },
      { changed: 'event_changed', missing: 'event_missing', of },
    ),
    ...checkPlaces(events, of),
  ]
  const last = events.at(-1)?.n ?? 0
  const counts = `${last} events, the row counts ${row.version}`
  if (last < row.version) findings.push({ ...of, rule: 'event_missing', n: last + 1, message: counts })
  if (last > row.version) findings.push({ ...of, rule: 'event_extra', n: row.version + 1, message: counts })
  if (findings.length > 0) return findings
  let replayed: Task | null = null
  for (const { at, body } of events) {
    const said: TaskEventBody = JSON.parse(body)
    replayed = evolveTask(replayed, { task_id: row.task_id, at, body: said })
  }
  const names = replayed === null ? [] : differing(row, replayed, SIGNALS)
  if (names.length === 0) return []
  return [{ ...of, rule: 'row_differs', n: null, message: `${names.join(', ')} not as by its events` }]
}

const SIGNALS: ReadonlySet<string> = new Set<keyof Task>([
  'heartbeat_at',
  'activity_at',
  'progress_at',
  'progress',
  'steps',
  'cost',
])
