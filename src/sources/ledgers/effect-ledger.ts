import type { AttemptEnd } from '../../core/attempt.js'
import type { ImportedOperation, ImportedRecord, ImportedTask } from '../../core/imported.js'
import { asciiJson, type JsonObject, type JsonValue } from '../../core/json.js'
import type { OperationStatus } from '../../core/operation.js'
import { parseForeignJson } from '../../core/parse-json.js'
import type { ReadOptions, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import type { SqliteFile } from '../sqlite-file/open.js'
import { countedAttempts } from './attempts.js'
import { type CellRow, idIn, jsonIn, textIn, timeIn, wholeIn } from './cells.js'
import { repeatedId, rowsById } from './rows-by-id.js'
import { boundedColumn, detectTable, fileWarnings, findTable, rowsOf, type TableShape } from './tables.js'

const ID = 'effect-ledger'

/** effect-ledger 0.1 (Python), `_sql.py`: `created_at` came with schema 2. */
const OPERATIONS: TableShape = {
  columns: [
    'scope',
    'operation_id',
    'effect',
    'request',
    'provider_key',
    'state',
    'attempt',
    'version',
    'result',
    'error',
  ],
  optional: ['created_at'],
}
const DECISIONS: TableShape = { columns: ['scope', 'decision_id', 'payload', 'decided_at'] }

/** The ledger of the Python package effect-ledger, in SQLite. */
export const effectLedger: Source = {
  id: ID,
  title: 'a ledger of effect-ledger',
  detect: file => detectTable(file, OPERATIONS, 'the operations of effect-ledger'),
  records,
}

/** What a state of theirs means here. `models.py`: there is no state for "did not happen". */
export interface StateRule {
  readonly id: string
  readonly state: string
  readonly isDecided: boolean
  readonly status: OperationStatus
  /** how the newest attempt ended */
  readonly end: AttemptEnd | null
  readonly why: string
}

const rule = (
  state: string,
  [id, status, end]: readonly [string, OperationStatus, AttemptEnd | null],
  why: string,
  isDecided = false,
): StateRule => ({ id: `effect_ledger.${id}`, state, isDecided, status, end, why })

export const STATE_RULES: readonly StateRule[] = [
  rule(
    'in_flight',
    ['in_flight', 'in_flight', null],
    'It was claimed and has not finished; effect-ledger keeps no lease, so nobody can tell whether its worker lives.',
  ),
  rule(
    'indeterminate',
    ['indeterminate', 'unknown', 'ambiguous'],
    'Its handler failed after it was claimed; effect-ledger does not say whether the effect was made.',
  ),
  rule(
    'ready',
    ['ready', 'prepared', 'ambiguous'],
    'A decision there lets it be sent again. That is no evidence that the attempt before did not take effect.',
  ),
  rule(
    'completed',
    ['completed_by_decision', 'confirmed', 'applied'],
    'A decision there says that it took effect.',
    true,
  ),
  rule('completed', ['completed', 'confirmed', 'applied'], 'Its handler returned a result.'),
]

const UNKNOWN_STATE: StateRule = rule(
  '',
  ['unknown_state', 'unknown', 'ambiguous'],
  'Its state is none that effect-ledger 0.1 knows.',
)

async function* records(file: SourceFile, _options: ReadOptions): AsyncGenerator<ImportedRecord> {
  const opened = file.sqlite()
  const operations = findTable(opened, OPERATIONS)
  if (typeof operations === 'string')
    throw new Error(`${file.path} ${operations}: it was not this source's to read`)
  const decisions = findTable(opened, DECISIONS)
  const decisionTable = typeof decisions === 'string' ? null : decisions.name
  yield* fileWarnings(opened)
  const createdAt = operations.columns.has('created_at') ? 'created_at' : 'null as created_at'
  const rows = rowsById(file.path, opened, {
    table: operations.name,
    columns: `scope, operation_id, effect, provider_key, state, attempt, version, error, ${createdAt},
       ${boundedColumn('request')}, ${boundedColumn('result')},
       length(cast(request as blob)) as request_bytes`,
    id: ['scope', 'operation_id'],
  })
  let scope: string | null = null
  let number = 0
  for (const { row, isRepeated } of rows) {
    number += 1
    const [rowScope, id] = [idIn(row, 'scope'), idIn(row, 'operation_id')]
    if (rowScope === null || id === null) {
      yield {
        record: 'warning',
        code: 'row_without_id',
        message: 'a row has no scope or no id: it is left out',
        where: `row ${number}`,
      }
      continue
    }
    if (isRepeated) {
      yield repeatedId(`${rowScope}/${id}`)
      continue
    }
    if (rowScope !== scope) yield taskOf(rowScope)
    scope = rowScope
    if (textIn(row, 'request') === null && wholeIn(row, 'request_bytes') !== 0)
      yield {
        record: 'warning',
        code: 'input_left_out',
        message: 'its request is too large to take, or no text',
        where: `${rowScope}/${id}`,
      }
    yield operationOf(row, {
      scope: rowScope,
      id,
      decisions: decisionsOf(file.path, opened, decisionTable, rowScope, id),
    })
  }
}

function taskOf(scope: string): ImportedTask {
  return {
    record: 'task',
    task_id: taskId(scope),
    parent_task_id: null,
    goal: null,
    status: 'running',
    status_reason: 'effect-ledger keeps no end of a scope',
    agent: null,
    thread: null,
    workspace: null,
    labels: { scope },
    deadline_at: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    created_at: null,
    closed_at: null,
  }
}

interface Found {
  readonly scope: string
  readonly id: string
  readonly decisions: readonly Decision[]
}

function operationOf(row: CellRow, { scope, id, decisions }: Found): ImportedOperation {
  const state = textIn(row, 'state') ?? ''
  const isDecided = decisions.some(({ action }) => action === 'complete')
  const found = STATE_RULES.find(one => one.state === state && (!one.isDecided || isDecided)) ?? UNKNOWN_STATE
  const count = Math.max(1, wholeIn(row, 'attempt') ?? 1)
  const error = textIn(row, 'error')
  const createdAt = timeIn(row, 'created_at')
  const settling = decisions.at(-1)
  return {
    record: 'operation',
    operation_id: `${ID}:${encodeURIComponent(scope)}/${id}`,
    task_id: taskId(scope),
    tool: textIn(row, 'effect') ?? 'unnamed',
    phase: null,
    step: null,
    effect: null,
    target: null,
    input: jsonIn(row, 'request'),
    foreign_digest: null,
    idempotency_key: textIn(row, 'provider_key'),
    status: found.status,
    foreign_status: state,
    rule: found.id,
    why: `${found.why}${settling === undefined ? '' : ` Decision ${settling.id} (${settling.action}): ${settling.reason}`}`,
    attempts: countedAttempts({
      count,
      firstSentAt: createdAt,
      endedAt: settling?.at ?? null,
      last: found.end,
      // each further attempt was let by a decision to retry, which rules nothing out
      earlier: 'ambiguous',
      error: error === null ? null : { message: error, code: error },
    }),
    external_ids: [],
    result: state === 'completed' ? jsonIn(row, 'result') : null,
    heartbeat_at: null,
    progress: null,
    checkpoint: null,
    without_leases: true,
    created_at: createdAt,
    updated_at: settling?.at ?? null,
  }
}

interface Decision {
  readonly id: string
  readonly action: string
  readonly reason: string
  readonly at: number | null
}

/** Decisions about one operation, oldest first. SQLite writes `decided_at` in UTC without saying so. */
function decisionsOf(
  path: string,
  opened: SqliteFile,
  table: string | null,
  ...[scope, id]: readonly [string, string]
): Decision[] {
  if (table === null) return []
  const rows = rowsOf(
    path,
    opened,
    `select decision_id, payload, decided_at
     from ${table}
     where scope = ? and instr(payload, ?) > 0 and length(payload) < 1000000
     order by decided_at, decision_id`,
    scope,
    asciiJson(id), // as Python's json.dumps writes it
  )
  return [...rows].flatMap(row => {
    const payload = fieldsOf(parseForeignJson(textIn(row, 'payload') ?? ''))
    if (payload.operation_id !== id) return []
    const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')
    return [
      {
        id: textIn(row, 'decision_id') ?? '',
        action: text(payload.action),
        reason: text(payload.reason),
        at: timeIn(row, 'decided_at'),
      },
    ]
  })
}

function fieldsOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function taskId(scope: string): string {
  return `${ID}:${encodeURIComponent(scope)}`
}
