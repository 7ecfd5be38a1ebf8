import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../src/store/cells.js'
import { drive, type Engine, type Query } from '../../src/store/engine.js'
import { createStore, openStore } from '../../src/store/open.js'
import { sqlStore } from '../../src/store/sql-store/index.js'
import type { Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { ANA, CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { FILTERS, HISTORY_FILTERS, LIST, READINGS, SCOPES, SORTS } from './support/readings.js'
import { answerOf } from './support/rows.js'

/** Indexes that hold only what is open or flagged: reading one from end to end costs what is open. */
const OF_WHAT_IS_OPEN =
  /^SCAN \w+ USING (COVERING )?INDEX (operation_(unknown|in_flight|prepared_in_doubt|prepared_waiting|due|flagged|awaits_approval|incarnation|open|repeated\w*)|task_open|task_taken_over)$/

/** Tables that a person or the ledger itself keeps small, and rows made in the query. */
const SMALL =
  /^SCAN (ledger_claim|ledger_meta|json_each|found|named|counted|branch\w*|doubt|\(subquery-\d+\)|CONSTANT ROW)/

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
      inside: () => Promise.reject(new Error('a reading writes nothing')),
      clockOn: async machine => machine,
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
  await createStore(options)
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
