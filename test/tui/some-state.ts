import type { ListedOperation } from '../../src/core/documents/list.js'
import { safe, words } from '../../src/core/safe-text.js'
import { reduce } from '../../src/tui/reduce.js'
import { type Row, rowOf } from '../../src/tui/row.js'
import { type State, type Summary, startState } from '../../src/tui/state.js'
import type { Size } from '../../src/tui/terminal.js'

/** A row of `list@1`. */
export function listed(given: Partial<ListedOperation>): ListedOperation {
  return {
    operation_id: 'op-1',
    task_id: 'task-1',
    phase: null,
    step: null,
    tool: 'mail.send',
    effect: 'irreversible',
    target: null,
    status: 'unknown',
    in_doubt: true,
    may_have_applied: true,
    stalled_by: [],
    attempts: 1,
    external_ids: [],
    last_error: { rule: 'eof', message: 'the connection ended', at: '2026-11-29T10:00:00.000Z', attempt: 1 },
    cause: 'eof mail.send',
    age_ms: 3_600_000,
    risk: 'irreversible',
    by_hand: null,
    undone_by: null,
    claimed_by: null,
    next_action: { next_action: 'reconcile', reason: 'it can be asked', not_before: null, safe_until: null },
    version: 3,
    ...given,
  } as ListedOperation
}

export function rowsOf(...given: readonly Partial<ListedOperation>[]): Row[] {
  return given.map(one => rowOf(listed(one), safe))
}

const SUMMARY: Summary = {
  inDoubt: { count: 2, isLeast: false },
  total: null,
  oldest: words`1h`,
  risk: words`irreversible`,
  stalled: { count: 1, isLeast: false },
  isSilent: false,
  lastEntry: null,
}

export function looked(state: State, rows: readonly Row[], { isMore = false, hasMore = false } = {}): State {
  return reduce(state, {
    kind: 'looked',
    turn: state.turn,
    isMore,
    limit: state.asked.limit,
    rows,
    hasMore,
    summary: SUMMARY,
  }).state
}

export function ticked(state: State, page: readonly Row[], changes: State['changes'] = new Map()): State {
  const touched = new Set(changes.keys())
  return reduce(state, { kind: 'ticked', turn: state.turn, page, changes, touched, summary: SUMMARY }).state
}

/** Three operations: in doubt, stalled, settled by hand. */
export function someRows(): Row[] {
  return rowsOf(
    { operation_id: 'release/npm' },
    {
      operation_id: 'release/tap',
      status: 'prepared',
      in_doubt: false,
      last_error: null,
      cause: null,
      stalled_by: [
        {
          rule: 'never_sent',
          since: '2026-11-29T10:00:00.000Z',
          reason: 'never sent',
          limit_ms: 1,
          limit_from: null,
        },
      ],
    },
    {
      operation_id: 'crm/Yuki',
      task_id: 'task-2',
      status: 'confirmed',
      in_doubt: false,
      by_hand: { by: 'git:lee' },
      effect: 'compensable',
      risk: 'compensable',
    },
  )
}

export function someState(size: Size): State {
  return looked(
    startState({ size, isReadOnly: false, planPath: 'plan.jsonl', ledger: safe('/srv/ledger.db') }),
    someRows(),
  )
}

/** Keys one after the other, each long after the one before. */
export function press(state: State, ...keys: readonly string[]): State {
  return keys.reduce((now, key, i) => {
    const typed = key.length === 1 ? ({ kind: 'text', text: key } as const) : ({ kind: 'key', key } as const)
    return reduce(now, { kind: 'typed', typed, at: (i + 1) * 1_000 }).state
  }, state)
}
