import type { Notice } from '../../core/stall/notice.js'
import { json, number, numberOrNull, text, word } from '../cells.js'
import { query, type Row, type Sql } from '../engine.js'
import type { Leading } from '../store.js'

const COLUMNS =
  'subject, subject_id, rule, task_id, evidence, reason, stage, noticed_at, grace_until, seen_at, changed_at, told'

/** Notices that have not ended. */
export function* openNotices(): Sql<Notice[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_notice indexed by notice_open
     where stage <> 'ended'
     order by subject, subject_id, rule`,
  )
  return rows.map(noticeOf)
}

/** Writes a notice as it is now: one for a rule and what it speaks of. */
export function* putNotice(notice: Notice): Sql<void> {
  yield* query(
    `insert into ledger_notice (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (subject, subject_id, rule) do update
     set task_id = excluded.task_id, evidence = excluded.evidence, reason = excluded.reason, stage = excluded.stage,
       noticed_at = excluded.noticed_at, grace_until = excluded.grace_until, seen_at = excluded.seen_at,
       changed_at = excluded.changed_at, told = excluded.told`,
    [
      notice.subject,
      notice.subject_id,
      notice.rule,
      notice.task_id,
      notice.evidence,
      notice.reason,
      notice.stage,
      notice.noticed_at,
      notice.grace_until,
      notice.seen_at,
      notice.changed_at,
      JSON.stringify(notice.told),
    ],
  )
}

/** Takes or renews a role; false while another holds it, whose process is not known to be gone. */
export function* lead(leading: Leading): Sql<boolean> {
  if (yield* takeRole(leading)) return true
  const [held] = yield* query('select owner from ledger_leader where role = $1', [leading.role])
  if (held === undefined || !leading.isOwnerGone(text(held, 'owner'))) return false
  yield* stopLeading({ role: leading.role, owner: text(held, 'owner') })
  return yield* takeRole(leading)
}

function* takeRole({ role, owner, now, until }: Leading): Sql<boolean> {
  const rows = yield* query(
    `insert into ledger_leader (role, owner, since, until)
     values ($1, $2, $3, $4)
     on conflict (role) do update
     set owner = excluded.owner, until = excluded.until,
       since = case when ledger_leader.owner = excluded.owner then ledger_leader.since else excluded.since end
     where ledger_leader.owner = excluded.owner or ledger_leader.until <= excluded.since
     returning owner`,
    [role, owner, now, until],
  )
  return rows.length > 0
}

/** Lets go of a role, so that another need not wait for its end. */
export function* stopLeading({ role, owner }: Pick<Leading, 'role' | 'owner'>): Sql<void> {
  yield* query('delete from ledger_leader where role = $1 and owner = $2', [role, owner])
}

/**
 * The time of the first event after a moment; null: there is none. Events are numbered in the order of their times, so
 * it is found by halves.
 */
export function* firstEventAfter(at: number): Sql<number | null> {
  const [ends] = yield* query('select coalesce(max(seq), 0) as high from ledger_event')
  let [low, high] = [0, ends === undefined ? 0 : number(ends, 'high')]
  let found: number | null = null
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    const [row] = yield* query('select seq, at from ledger_event where seq >= $1 order by seq limit 1', [
      middle,
    ])
    if (row !== undefined && number(row, 'at') > at) {
      found = number(row, 'at')
      high = middle - 1
    } else low = middle
  }
  return found
}

function noticeOf(row: Row): Notice {
  return {
    subject: word(row, 'subject', ['operation', 'task'] as const),
    subject_id: text(row, 'subject_id'),
    rule: text(row, 'rule'),
    task_id: text(row, 'task_id'),
    evidence: text(row, 'evidence'),
    reason: text(row, 'reason'),
    stage: word(row, 'stage', ['noticed', 'suspended', 'ended'] as const),
    noticed_at: number(row, 'noticed_at'),
    grace_until: numberOrNull(row, 'grace_until'),
    seen_at: number(row, 'seen_at'),
    changed_at: number(row, 'changed_at'),
    told: json(row, 'told'),
  }
}
