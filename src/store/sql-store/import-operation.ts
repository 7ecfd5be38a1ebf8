import type { ImportedOperation } from '../../core/imported.js'
import type { OperationCounts } from '../../core/importing/counts.js'
import { newsOf, type OnFile } from '../../core/importing/news.js'
import { type TakenIn, takenIn } from '../../core/importing/their-record.js'
import type { Step } from '../../core/transitions/requests.js'
import { freshTask } from '../../core/transitions/task.js'
import { text } from '../cells.js'
import { lockTask, query, type Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import { addEvidence } from './add-evidence.js'
import { decideSteps, type Ledger, leavesConfirmed, questionCompensations } from './change.js'
import type { Time } from './clock.js'
import { contextOf, readBeside, readNeighbours } from './context.js'
import { readOpening, timeOf } from './opening.js'
import type { Stored } from './operations.js'
import { readTask } from './tasks.js'
import { writeMoves } from './write-moves.js'

type Counts = { -readonly [K in keyof OperationCounts]: number }

/** One operation of another system: taken over, moved on, kept as evidence, or nothing new. */
export function* importOperation(
  ledger: Ledger,
  asked: Importing,
  given: ImportedOperation,
  counts: Counts,
): Sql<void> {
  const { by, taking } = asked
  const record = asked.workersStopped ? withWorkersStopped(given) : given
  const earliest = by.clock().at
  const first = takenIn(record, { ...taking, now: earliest })
  const { operation_id, task_id } = first.theirs.intent
  yield* lockTask({ task_id, operation_id })
  const opening = yield* readOpening(ledger.memory, { operation_id, task_id })
  const { stored, task: there } = opening
  const time = timeOf(opening, by.clock)
  // their attempts are bounded by the time of the commit
  const taken = time.stamp.at === earliest ? first : takenIn(record, { ...taking, now: time.stamp.at })
  const onFile = stored === null ? nothing(ledger) : yield* recordsOnFile(ledger, operation_id)
  const news = newsOf(stored, taken, onFile)
  switch (news.kind) {
    case 'same':
      yield* noteSignOfLife(stored, taken)
      counts.unchanged += 1
      return
    case 'earlier':
      counts.unchanged += 1
      asked.onWarning({
        code: 'earlier_record',
        message: 'it is an earlier state of their record than the one on file: nothing is taken of it',
        where: operation_id,
      })
      return
    case 'refused':
      counts.refused += 1
      asked.onWarning({ code: news.refusal.rule, message: news.refusal.reason, where: operation_id })
      return
    case 'steps': {
      if (taken.corrected !== null)
        asked.onWarning({
          code: 'status_corrected',
          message: `${taken.corrected}: it is taken for unknown`,
          where: operation_id,
        })
      const task = there ?? (yield* readTask(task_id))
      const isNew = task === null
      const row = task ?? freshTask(task_id, time.stamp.at)
      yield* takeSteps({ ledger, asked, taken, stored, time, task: { row, isNew } }, news.steps, counts)
    }
  }
}

interface Taking {
  readonly ledger: Ledger
  readonly asked: Importing
  readonly taken: TakenIn
  readonly stored: Stored | null
  readonly time: Time
  readonly task: Parameters<typeof writeMoves>[1]['task']
}

function* takeSteps(all: Taking, steps: readonly Step[], counts: Counts): Sql<void> {
  const { ledger, asked, taken, stored, time, task } = all
  const { by, isOwnerGone } = asked
  const { operation_id } = taken.theirs.intent
  const asking = { actor: by.actor, isOwnerGone, incarnation: ledger.incarnation }
  const context = contextOf(yield* readBeside(asking, stored), time, task.row)
  const keyed = stored === null ? yield* withFreeKey(all, steps) : steps
  const { moves, refusal } = yield* decideSteps(stored, context, keyed, operation_id)
  if (refusal !== null || moves.length === 0) return yield* keepAsEvidence(all, counts, refusal?.reason ?? '')
  const writing = { ledger_id: ledger.ledger_id, stamp: time.stamp }
  yield* writeMoves(writing, {
    stored,
    moves,
    context,
    task,
    incarnation: ledger.incarnation,
    decision_id: null,
  })
  if (moves.some(leavesConfirmed))
    yield* questionCompensations(ledger, { operation_id, by, isOwnerGone }, context.undone_by)
  counts[stored === null ? 'added' : 'changed'] += 1
  if (moves.some(({ event }) => event.type === 'contradict')) {
    counts.contradicted += 1
    asked.onWarning({
      code: 'contradicted',
      message: `it was ${stored?.operation.status}, their record says ${taken.theirs.status}: it is unknown now, and a person decides`,
      where: operation_id,
    })
  }
}

/** Two operations with one key would be one request to the service: it is said, and the second is kept all the same. */
function* withFreeKey({ asked, taken: { theirs } }: Taking, steps: readonly Step[]): Sql<readonly Step[]> {
  const { intent } = theirs
  const { key_owner } = yield* readNeighbours(intent)
  if (key_owner === null) return steps
  asked.onWarning({
    code: 'key_shared',
    message: `its idempotency key is that of ${key_owner} too: to the service they were one request`,
    where: intent.operation_id,
  })
  const alone = { ...intent, key_scope: `${intent.key_scope}/${intent.operation_id}` }
  return steps.map(step =>
    step.request.type === 'import' ? { ...step, request: { ...step.request, intent: alone } } : step,
  )
}

/** It does not move what stands here, and is not lost either. */
function* keepAsEvidence({ ledger, asked, taken, stored }: Taking, counts: Counts, why: string): Sql<void> {
  const { operation_id } = taken.theirs.intent
  const [evidence] = taken.evidence
  const external_ids = taken.theirs.external_ids
  yield* addEvidence(ledger, { operation_id, evidence: [evidence], external_ids, by: asked.by })
  counts.changed += 1
  counts.kept_as_evidence += 1
  asked.onWarning({
    code: 'kept_as_evidence',
    message: `it is ${stored?.operation.status ?? 'new'} here and stays so, their record says ${taken.theirs.status}: ${why}`,
    where: operation_id,
  })
}

function nothing({ ledger_id }: Ledger): OnFile {
  return { digests: new Set(), as_of: null, ledger_id }
}

function* recordsOnFile({ ledger_id }: Ledger, operation_id: string): Sql<OnFile> {
  const rows = yield* query(
    `select body
     from ledger_evidence
     where operation_id = $1 and kind = 'record'
     order by n`,
    [operation_id],
  )
  const digests = new Set<string>()
  let as_of: number | null = null
  for (const row of rows) {
    const said: { readonly record?: unknown; readonly as_of?: unknown } = JSON.parse(text(row, 'body'))
    if (typeof said.record === 'string') digests.add(said.record)
    if (typeof said.as_of === 'number') as_of = Math.max(as_of ?? 0, said.as_of)
  }
  return { digests, as_of, ledger_id }
}

/** Signs of life stand outside the history. */
function* noteSignOfLife(stored: Stored | null, { theirs }: TakenIn): Sql<void> {
  const { heartbeat_at, progress } = theirs
  if (stored === null || stored.operation.status !== 'in_flight' || heartbeat_at === null) return
  if ((stored.operation.heartbeat_at ?? 0) >= heartbeat_at) return
  yield* query(
    `update ledger_operation
     set heartbeat_at = $1, progress = $2
     where operation_id = $3`,
    [heartbeat_at, progress === null ? null : JSON.stringify(progress), stored.operation.operation_id],
  )
}

/** A person's word about the writer: what is in the air there will not be answered by anyone. */
function withWorkersStopped(record: ImportedOperation): ImportedOperation {
  if (record.status !== 'in_flight') return record
  return {
    ...record,
    status: 'unknown',
    rule: 'workers_stopped',
    why: `${record.why} A person says that the workers of the other system are stopped, so that nobody awaits its answer.`,
  }
}
