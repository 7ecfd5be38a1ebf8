import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../src/store/cells.js'
import { drive, type Engine, type Query } from '../../src/store/engine.js'
import { createStore, openStore } from '../../src/store/open.js'
import { sqlStore } from '../../src/store/sql-store/index.js'
import type { OperationQuery, Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { ANA, CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { answerOf } from './support/rows.js'

const now = stampAt(NOON + 1)
const LIST: OperationQuery = { scope: 'in_doubt', now, goneOwners: ['p'], sort: 'risk', limit: 100 }
const SCOPES = ['attention', 'in_doubt', 'open', 'moving', 'repeated'] as const
const SORTS = ['risk', 'age', 'id'] as const

/** Every reading whose cost must not grow with settled history. */
const READINGS: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ['one operation', store => store.operation('op-1')],
  ['one task with all of it', store => store.taskRecord('task-1')],
  ['a task', store => store.task('task-1')],
  ['the open tasks', store => store.tasks({ scope: 'open', now, goneOwners: [], limit: 20 })],
  ['the open tasks alone', store => store.openTasks()],
  ['what is open, counted', store => store.counts(NOON)],
  ['what is due', store => store.due({ now, goneOwners: ['p'], afterSeq: 0, limit: 50 })],
  ['every tool with its newest operation', store => store.tools()],
  ['owners of leases', store => store.leaseOwners()],
  ['external ids', store => store.externalIdsOf(['op-1', 'op-2'])],
  ['claims of some', store => store.claimsOf([{ operation_id: 'op-1' }], NOON)],
  ['the last commit', store => store.lastCommitAt()],
  ['ids near a mistyped one', store => store.near('opp-1')],
  ['history of an operation', store => store.events({ about: { operation_id: 'op-1' }, limit: 50 })],
  ['history of a task', store => store.events({ about: { task_id: 'task-1' }, limit: 50 })],
  ['history that is followed', store => store.events({ after_seq: 10, limit: 50 })],
  ['history since a time', store => store.events({ since: NOON, limit: 50 })],
  [
    'a page of all operations',
    store => store.operations({ ...LIST, scope: 'all', sort: 'age', after: 'op-1', uncounted: true }),
  ],
]

const FILTERS: readonly Partial<OperationQuery>[] = [
  {},
  { after: 'op-1' },
  { quiet_since: NOON },
  { task_id: 'task-1' },
  { external_id: 'ticket=T-1' },
  { statuses: ['unknown', 'prepared'] },
  { tool: 'x' },
]

/** Of all history: what leads to few rows by an index. Without a filter the page ends the walk. */
const HISTORY_FILTERS: readonly Partial<OperationQuery>[] = [
  { task_id: 'task-1' },
  { external_id: 'T-1' },
  { since: NOON },
  { statuses: ['unknown'] },
  { statuses: ['not_executed'] },
]

/** Indexes that hold only what is open or flagged: reading one from end to end costs what is open. */
const OF_WHAT_IS_OPEN =
  /^SCAN \w+ USING (COVERING )?INDEX (operation_(unknown|in_flight|prepared_in_doubt|prepared_waiting|due|flagged|awaits_approval|incarnation|open|repeated\w*)|task_open|task_taken_over)$/

/** Tables that a person or the ledger itself keeps small, and rows made in the query. */
const SMALL = /^SCAN (named|doubt|ledger_claim|ledger_meta|json_each|found|doubt|\(subquery-\d+\)|CONSTANT ROW)/

/** The newest rows, read backwards from the end up to a limit. */
const NEWEST = /^SCAN ledger_(operation|task|event)$/

describe.each([
  ['before any statistics', false],
  ['with statistics', true],
] as const)('the plan %s', (_, hasStatistics) => {
  let stepsOf: (reading: (store: Store) => Promise<unknown>) => Promise<readonly string[]>
  const walksOf = async (reading: (store: Store) => Promise<unknown>) => {
    const steps = await stepsOf(reading)
    return steps.filter(step => step.startsWith('SCAN') && !OF_WHAT_IS_OPEN.test(step) && !SMALL.test(step))
  }

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agent-ledger-plans-'))
    stepsOf = await plannerOf(await aLedgerWithHistory(directory, hasStatistics))
    return () => rmSync(directory, { recursive: true })
  })

  it.each(READINGS)('of %s walks through no history', async (_name, reading) => {
    expect((await walksOf(reading)).filter(step => !NEWEST.test(step))).toEqual([])
  })

  it.each(SCOPES)('of every list of scope %s walks through no history', async scope => {
    for (const sort of SORTS)
      for (const filter of FILTERS) {
        const walks = await walksOf(store => store.operations({ ...LIST, scope, sort, ...filter }))
        expect(walks, JSON.stringify({ sort, ...filter })).toEqual([])
      }
  })

  it('of a list of all that is led by an index walks through no history', async () => {
    for (const sort of SORTS)
      for (const filter of HISTORY_FILTERS) {
        const walks = await walksOf(store => store.operations({ ...LIST, scope: 'all', sort, ...filter }))
        expect(walks, JSON.stringify({ sort, ...filter })).toEqual([])
      }
  })
})

/** Reads through an engine that asks SQLite how it would answer each query, and notes the steps. */
async function plannerOf(path: string) {
  const database = new Database(path, { readonly: true })
  return async (reading: (store: Store) => Promise<unknown>) => {
    const steps: string[] = []
    const answer = (asked: Query) => {
      const plan = answerOf(database, { ...asked, text: `explain query plan ${asked.text}` })
      steps.push(...plan.map(row => text(row, 'detail')))
      return answerOf(database, asked)
    }
    const engine: Engine = {
      kind: 'sqlite',
      read: async work => drive(work(), answer),
      write: () => Promise.reject(new Error('a reading writes nothing')),
      within: () => {
        throw new Error('a reading writes nothing')
      },
      damages: async () => [],
      close: async () => undefined,
    }
    await reading(sqlStore({ engine, ledger: { ledger_id: 'x', incarnation: 1 }, location: path }))
    return steps
  }
}

async function aLedgerWithHistory(directory: string, hasStatistics: boolean): Promise<string> {
  const url = join(directory, 'ledger.db')
  const options = { url, clock: () => stampAt(NOON), program: 'a test' }
  createStore(options)
  const store = await openStore(options)
  await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const id = `op-${n}`
      await did(store, id, [PREPARE(id, { task_id: `task-${n % 10}` }), SEND()], ANA)
      const external_ids = [{ kind: 'ticket', value: `T-${n}` }]
      await did(store, id, [n % 50 === 0 ? LOSE() : CONFIRM({ external_ids })], later(1))
    }),
  )
  await store.close()
  if (hasStatistics) {
    const database = new Database(url)
    database.exec('analyze')
    database.close()
  }
  return url
}
