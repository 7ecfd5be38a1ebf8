import { LedgerError } from '../../core/errors.js'
import { flag } from '../cells.js'
import { lock, query, type Sql } from '../engine.js'
import { INTENT } from '../migrations/0001-triggers.js'
import { columnsOf, tableIn, tablesOf } from './check.js'
import { quoted } from './dialect.js'
import { partitionsIn } from './layout.js'

export const ROLES = ['agent_ledger_reader', 'agent_ledger_writer', 'agent_ledger_operator'] as const
type Role = (typeof ROLES)[number]

/** A role that may use the ledger now. */
export interface GivenRole {
  readonly role: Role
  /** false: the server had it before */
  readonly made: boolean
}

/** Rows of these are added; what a guard allows of a change or a removal is for operators. */
const GROWING = ['ledger_event', 'ledger_evidence', 'ledger_external_ref', 'ledger_note']
/** Of a ledger that is split: filled by triggers with the rights of whoever writes. */
const ONCE = ['ledger_key', 'ledger_decision']
/** What stays of operations that an operator archived. */
const ARCHIVED = ['ledger_pruned', 'ledger_pruned_event']
/** What goes with an operation once it was archived. */
const WITH_OPERATION = [
  'ledger_event',
  'ledger_evidence',
  'ledger_external_ref',
  'ledger_attempt',
  'ledger_notice',
]
/** What an operation is; an operator may blank its input. */
const OPERATION = 'ledger_operation'
/** What this program says of itself; an opening for writing may begin a new incarnation. */
const OF_THE_LEDGER = ['ledger_meta', 'ledger_schema']
/** Leave to send is given by people. */
const APPROVAL = 'ledger_approval'
/** What is over is taken away: none of these is part of a history. */
const PASSING = ['ledger_claim', 'ledger_action', 'ledger_leader']

/**
 * The statements that let three roles of the server use the ledger: `agent_ledger_reader` looks, `agent_ledger_writer` is
 * for agents and cannot approve what it sends, `agent_ledger_operator` is for people who decide. An operator may blank
 * bodies and archive, as far as the guards let; none of them may drop a table or switch a trigger off.
 */
export function grants(schema: string, partitions: number | null): string[] {
  const all = tablesOf(schema, partitions)
  const once = partitions === null ? [] : ONCE
  const changing = all.filter(
    table => ![...GROWING, ...ARCHIVED, ...once, ...OF_THE_LEDGER, OPERATION, APPROVAL].includes(table),
  )
  const on = (privileges: string, tables: readonly string[], roles: readonly Role[]) =>
    `grant ${privileges} on ${tables.map(table => tableIn(schema, table)).join(', ')} to ${roles.join(', ')}`
  const writing = ['agent_ledger_writer', 'agent_ledger_operator'] as const
  return [
    `grant usage on schema ${quoted(schema)} to ${ROLES.join(', ')}`,
    on('select', all, ROLES),
    on('insert', [...GROWING, ...once, OPERATION, ...changing], writing),
    on('update', changing, writing),
    on(`update (${movingColumns(schema).join(', ')})`, [OPERATION], ['agent_ledger_writer']),
    on('update', [OPERATION], ['agent_ledger_operator']),
    on('update (body)', ['ledger_event', 'ledger_evidence'], ['agent_ledger_operator']),
    on('insert', ARCHIVED, ['agent_ledger_operator']),
    on('delete', [OPERATION, APPROVAL, ...WITH_OPERATION], ['agent_ledger_operator']),
    on('update (home, incarnation)', ['ledger_meta'], writing),
    on('update (used)', [APPROVAL], ['agent_ledger_writer']),
    on('insert, update (used, revoked_at)', [APPROVAL], ['agent_ledger_operator']),
    on('delete', PASSING, writing),
  ]
}

/** All but what an operation is, which is written once. */
function movingColumns(schema: string): string[] {
  return columnsOf(schema, OPERATION).filter(column => !INTENT.includes(column))
}

/** Makes the roles where they are missing and lets them use this ledger; none of them can log in by itself. */
export function* makeRoles(schema: string): Sql<readonly GivenRole[]> {
  const given: GivenRole[] = []
  yield* lock({ kind: 'ledger', name: 'the making of it' })
  for (const role of ROLES) {
    const [row] = yield* query('select exists (select 1 from pg_roles where rolname = $1) as is_there', [
      role,
    ])
    const made = row === undefined || !flag(row, 'is_there')
    if (made) yield* query(`create role ${role} nologin`)
    given.push({ role, made })
  }
  // A grant by anybody else is passed over with a warning.
  const [owned] = yield* query(
    `select pg_has_role(c.relowner, 'usage') as is_ours
     from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'ledger_meta'`,
    [schema],
  )
  if (owned === undefined || !flag(owned, 'is_ours')) throw ownedByAnother(schema)
  yield grants(schema, yield* partitionsIn(schema)).map(text => ({ text, params: [] }))
  return given
}

function ownedByAnother(schema: string): LedgerError {
  return new LedgerError('ledger_unwritable', `the tables of the schema ${schema} belong to another user`, {
    hint: 'Let their owner run it.',
    facts: { commit: 'none' },
  })
}

/** What is said where this user may make no roles. */
export function mayMakeNoRoles(shown: string, cause: unknown): LedgerError {
  return new LedgerError('ledger_unwritable', `${shown}: this user may make no roles`, {
    path: shown,
    hint: `Let somebody with createrole run it, or make ${ROLES.join(', ')} first (create role … nologin) and run it again.`,
    cause,
  })
}
