import { query, type Sql } from '../engine.js'
import { claimOf } from '../rows.js'
import type { By, Claim, SubjectRef } from '../store.js'
import { timeOfCommit } from './clock.js'

/** The place of a subject in tables that hold operations and tasks. */
export function placeOf(subject: SubjectRef): readonly ['operation' | 'task', string] {
  return 'operation_id' in subject ? ['operation', subject.operation_id] : ['task', subject.task_id]
}

/** "I am looking at it". Null when another person's claim has not ended yet; one's own is renewed. */
export function* claim(asked: Claim): Sql<Claim | null> {
  const [subject, subject_id] = placeOf(asked.subject)
  const rows = yield* query(
    `insert into ledger_claim (subject, subject_id, actor, at, until)
     values ($1, $2, $3, $4, $5)
     on conflict (subject, subject_id) do update
     set actor = excluded.actor, at = excluded.at, until = excluded.until
     where ledger_claim.actor = excluded.actor or ledger_claim.until <= excluded.at
     returning subject, subject_id, actor, at, until`,
    [subject, subject_id, asked.actor, asked.at, asked.until],
  )
  return rows[0] ? claimOf(rows[0]) : null
}

/** True when a claim of this actor, or one that has ended, was there and is gone now. */
export function* release(of: SubjectRef, by: By): Sql<boolean> {
  const [subject, subject_id] = placeOf(of)
  const { stamp } = yield* timeOfCommit(by.clock)
  const rows = yield* query(
    `delete from ledger_claim
     where subject = $1 and subject_id = $2 and (actor = $3 or until <= $4)
     returning actor`,
    [subject, subject_id, by.actor, stamp.at],
  )
  return rows.length > 0
}

/** Claims that have not ended, of the subjects given. */
export function* claimsOf(subjects: readonly SubjectRef[], now: number): Sql<Claim[]> {
  const found: Claim[] = []
  for (const of of subjects) {
    const [subject, subject_id] = placeOf(of)
    const rows = yield* query(
      `select subject, subject_id, actor, at, until
       from ledger_claim
       where subject = $1 and subject_id = $2 and until > $3`,
      [subject, subject_id, now],
    )
    found.push(...rows.map(claimOf))
  }
  return found
}

export function* activeClaims(now: number): Sql<Claim[]> {
  const rows = yield* query(
    `select subject, subject_id, actor, at, until
     from ledger_claim
     where until > $1
     order by at, subject_id`,
    [now],
  )
  return rows.map(claimOf)
}

/** The claims of a task and of its operations, those that have ended included. */
export function* claimsOfTask(task_id: string): Sql<Claim[]> {
  const rows = yield* query(
    `select subject, subject_id, actor, at, until
     from ledger_claim
     where (subject = 'task' and subject_id = $1)
       or (
         subject = 'operation'
         and subject_id in (
           select operation_id from ledger_operation indexed by operation_of_task where task_id = $1
         )
       )
     order by at, subject_id`,
    [task_id],
  )
  return rows.map(claimOf)
}
