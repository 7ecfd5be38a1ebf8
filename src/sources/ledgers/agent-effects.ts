import type { ImportedNote, ImportedOperation, ImportedRecord, ImportedTask } from '../../core/imported.js'
import type { JsonValue } from '../../core/json.js'
import type { ReadOptions, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import type { SqliteFile } from '../sqlite-file/open.js'
import {
  EFFECT_OF_KIND,
  type EffectState,
  OTHER_STATUS,
  STATUS_RULES,
  type StatusRule,
  UNDOING_RULES,
} from './agent-effects-rules.js'
import { countedAttempts } from './attempts.js'
import { type CellRow, idIn, jsonIn, textIn, wholeIn } from './cells.js'
import { repeatedId, rowsById } from './rows-by-id.js'
import { boundedColumn, detectTable, fileWarnings, findTable, rowsOf, type TableShape } from './tables.js'

const ID = 'agent-effects'

/** agent-effects 0.x (Rust), SQLite. Times are milliseconds since 1970. What is optional came in later versions. */
const EFFECTS = {
  columns: [
    'id',
    'effect_name',
    'logical_key',
    'kind',
    'status',
    'input',
    'input_fingerprint',
    'output',
    'last_error',
    'attempt_count',
    'lease_owner',
    'lease_epoch',
    'lease_expires_at',
    'version',
    'created_at',
    'updated_at',
  ],
  optional: [
    'created_by',
    'may_have_applied',
    'compensation_attempts',
    'attempt_started_at',
    'attempt_ended_at',
  ],
} as const satisfies TableShape
const EVENTS: TableShape = {
  columns: ['effect_id', 'sequence', 'transition', 'from_status', 'to_status', 'actor', 'payload', 'at'],
}

/** The ledger of the Rust crate agent-effects, in SQLite. */
export const agentEffects: Source = {
  id: ID,
  title: 'a ledger of agent-effects',
  detect: file => detectTable(file, EFFECTS, 'the effects of agent-effects'),
  records,
}

async function* records(file: SourceFile, options: ReadOptions): AsyncGenerator<ImportedRecord> {
  const opened = file.sqlite()
  const effects = findTable(opened, EFFECTS)
  if (typeof effects === 'string')
    throw new Error(`${file.path} ${effects}: it was not this source's to read`)
  yield* fileWarnings(opened)
  if (!effects.columns.has('may_have_applied'))
    yield warning(
      'earlier_schema',
      'its rows do not say whether a failed attempt may have taken effect: that is unknown',
      null,
    )
  const optional = EFFECTS.optional.map(name => (effects.columns.has(name) ? name : `null as ${name}`))
  // theirs are UUIDs of version 7: their order is that of the times they were made at
  const rows = rowsById(file.path, opened, {
    table: effects.name,
    columns: `id, effect_name, logical_key, kind, status, input_fingerprint, last_error, attempt_count, lease_owner,
       lease_expires_at, created_at, updated_at, ${optional.join(', ')}, ${boundedColumn('input')}, ${boundedColumn('output')}`,
    id: ['id'],
  })
  const tasks = new Set<string>()
  let number = 0
  for (const { row, isRepeated } of rows) {
    number += 1
    const id = idIn(row, 'id')
    if (id === null) {
      yield warning('row_without_id', 'a row has no id: it is left out', `row ${number}`)
      continue
    }
    if (isRepeated) {
      yield repeatedId(id)
      continue
    }
    const creator = textIn(row, 'created_by')
    const taskId = `${ID}:${creator ?? 'effects'}`
    if (!tasks.has(taskId)) yield taskOf(taskId, creator)
    tasks.add(taskId)
    yield* operationsOf(row, { id, taskId, now: options.now ?? null })
    yield* notesOf(file.path, opened, { id, taskId })
  }
}

interface Named {
  readonly id: string
  readonly taskId: string
}

function* operationsOf(row: CellRow, { id, taskId, now }: Named & { readonly now: number | null }) {
  const leaseEnds = wholeIn(row, 'lease_expires_at')
  const mayHaveApplied = wholeIn(row, 'may_have_applied')
  const state: EffectState = {
    status: textIn(row, 'status') ?? '',
    mayHaveApplied: mayHaveApplied === null ? null : mayHaveApplied !== 0,
    attempts: wholeIn(row, 'attempt_count') ?? 0,
    isLeased: leaseEnds !== null && (now === null || leaseEnds > now),
  }
  const operation = operationOf(row, {
    id,
    taskId,
    state,
    rule: ruleFor(STATUS_RULES, state) ?? OTHER_STATUS,
  })
  yield operation
  const undoing = ruleFor(UNDOING_RULES, state)
  if (undoing !== undefined) yield undoingOf(row, operation, undoing)
}

function ruleFor(rules: readonly StatusRule[], state: EffectState): StatusRule | undefined {
  return rules.find(one => one.statuses.includes(state.status) && (one.when?.(state) ?? true))
}

interface Ruled extends Named {
  readonly state: EffectState
  readonly rule: StatusRule
}

function operationOf(row: CellRow, { id, taskId, state, rule }: Ruled): ImportedOperation {
  const isSent =
    state.attempts > 0 || (rule.end !== null && rule.status !== 'prepared') || rule.status === 'in_flight'
  return {
    record: 'operation',
    operation_id: `${ID}:${id}`,
    task_id: taskId,
    tool: textIn(row, 'effect_name') ?? 'unnamed',
    phase: null,
    step: textIn(row, 'logical_key'),
    effect: EFFECT_OF_KIND[textIn(row, 'kind') ?? ''] ?? null,
    target: null,
    input: jsonIn(row, 'input'),
    foreign_digest: textIn(row, 'input_fingerprint'),
    idempotency_key: textIn(row, 'logical_key'),
    status: rule.status,
    foreign_status: state.status,
    rule: rule.id,
    why: rule.why,
    attempts: countedAttempts({
      count: isSent ? Math.max(1, state.attempts) : 0,
      owner: textIn(row, 'lease_owner'),
      newestSentAt: wholeIn(row, 'attempt_started_at'),
      endedAt: wholeIn(row, 'attempt_ended_at') ?? wholeIn(row, 'updated_at'),
      last: rule.end,
      earlier: state.mayHaveApplied === false ? 'not_applied' : 'ambiguous',
      error: errorOf(row),
    }),
    external_ids: [],
    result: rule.status === 'confirmed' ? jsonIn(row, 'output') : null,
    heartbeat_at: null,
    progress: null,
    checkpoint: null,
    without_leases: false,
    lease_expires_at: rule.status === 'in_flight' ? wholeIn(row, 'lease_expires_at') : null,
    created_at: wholeIn(row, 'created_at'),
    updated_at: wholeIn(row, 'updated_at'),
  }
}

function undoingOf(row: CellRow, undone: ImportedOperation, rule: StatusRule): ImportedOperation {
  return {
    ...undone,
    operation_id: `${undone.operation_id}/undo`,
    tool: `${undone.tool}.undo`,
    input: null,
    foreign_digest: null,
    idempotency_key: null,
    result: null,
    status: rule.status,
    rule: rule.id,
    why: rule.why,
    attempts: countedAttempts({
      count: Math.max(1, wholeIn(row, 'compensation_attempts') ?? 1),
      owner: textIn(row, 'lease_owner'),
      endedAt: wholeIn(row, 'updated_at'),
      last: rule.end,
      earlier: 'ambiguous',
      error: rule.status === 'unknown' ? errorOf(row) : null,
    }),
    lease_expires_at: rule.status === 'in_flight' ? wholeIn(row, 'lease_expires_at') : null,
    compensates: undone.operation_id,
  }
}

function errorOf(row: CellRow) {
  const error = jsonIn(row, 'last_error')
  const text = (name: string) => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
    return typeof value === 'string' ? value : null
  }
  const message = text('message') ?? (typeof error === 'string' ? error : null)
  const code = text('class')
  if (message === null && code === null) return null
  return { message: message ?? code ?? '', ...(code === null ? {} : { code }) }
}

/** What operators wrote down there. */
function* notesOf(path: string, opened: SqliteFile, { id, taskId }: Named): Generator<ImportedNote> {
  const events = findTable(opened, EVENTS)
  if (typeof events === 'string') return
  const rows = rowsOf(
    path,
    opened,
    `select transition, actor, payload, at
     from ${events.name}
     where effect_id = ? and payload is not null and length(payload) < 100000
     order by sequence`,
    id,
  )
  for (const row of rows) {
    const note = noteIn(jsonIn(row, 'payload'))
    if (note === null) continue
    const [transition, actor] = [textIn(row, 'transition'), textIn(row, 'actor')]
    const body = {
      text: note,
      ...(transition === null ? {} : { transition }),
      ...(actor === null ? {} : { actor }),
    }
    yield {
      record: 'note',
      task_id: taskId,
      operation_id: `${ID}:${id}`,
      kind: 'remark',
      body,
      at: wholeIn(row, 'at'),
    }
  }
}

function noteIn(payload: JsonValue): string | null {
  const note: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'note') : null
  return typeof note === 'string' && note !== '' ? note : null
}

function taskOf(task_id: string, creator: string | null): ImportedTask {
  return {
    record: 'task',
    task_id,
    parent_task_id: null,
    goal: null,
    status: 'running',
    status_reason: 'agent-effects keeps effects, and no runs that end',
    agent: creator,
    thread: null,
    workspace: null,
    labels: {},
    deadline_at: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    created_at: null,
    closed_at: null,
  }
}

function warning(code: string, message: string, where: string | null): ImportedRecord {
  return { record: 'warning', code, message, where }
}
