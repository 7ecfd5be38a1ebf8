import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { branchesOf, orderOf } from '../../src/store/sql-store/list-branches.js'
import { Params } from '../../src/store/sql-store/params.js'
import { NOON, stampAt } from '../core/builders.js'
import { aLedger } from './support/ledgers.js'

describe('a later page of a list', () => {
  it.each(['all', 'in_doubt'] as const)('of scope %s is sought in the index and sorted nowhere', scope => {
    const database = new Database(aLedger().path, { readonly: true })
    onTestFinished(() => {
      database.close()
    })
    const now = stampAt(NOON)
    const asked = {
      scope,
      now,
      goneOwners: [],
      sort: 'risk',
      limit: 5,
      position: [0, -10, NOON, 5],
      sinceSeq: null,
    } as const
    const params = new Params()
    for (const branch of branchesOf(asked, params)) {
      const bound = Object.fromEntries(params.values.map((value, i) => [String(i + 1), value]))
      const plan = database
        .prepare(`explain query plan ${branch} order by ${orderOf(asked)} limit 5`)
        .all(bound)
        .map(row => String(Object(row).detail))
        .join('\n')
      // By all its columns: by the first alone, each page would walk through all pages before it.
      expect(plan).toMatch(
        /SEARCH ledger_operation USING (?:COVERING )?INDEX \w+ \(.*\(risk_rank,risk_amount,created_at\)>\(\?,\?,\?\)/,
      )
      expect(plan).not.toMatch(/TEMP B-TREE/)
    }
  })
})
