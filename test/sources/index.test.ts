import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { detectSource, readCheckpoint, readCheckpointFully, SOURCES } from '../../src/sources/index.js'
import { copyFixture, createScratch, fixture, makeDatabase, type Scratch } from './saver-file.js'

let scratch: Scratch
beforeEach(() => {
  scratch = createScratch()
})
afterEach(() => {
  vi.restoreAllMocks()
  scratch.remove()
})

/** A database with one more thread, whose rows are garbage, beside the real one. */
function withOtherThread(name: string, otherId: string): void {
  copyFixture(name, scratch.path)
  const garbage = "x'ffffffff', x'ff'"
  makeDatabase(
    scratch.path,
    `insert into checkpoints values ('${otherId}', '', '1f1ebf0a-0001-6600-8001-000000000000', null, 'json', ${garbage})`,
    `insert into writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value) values ('${otherId}', '', '1f1ebf0a-0001-6600-8001-000000000000', 'task', 0, 'log', 'json', x'ff')`,
  )
}

describe('the sources', () => {
  it('decide by the content of a file and say what they saw', () => {
    expect(detectSource(fixture('js-done')).filter(({ matches }) => matches)).toEqual([
      {
        source: 'langgraph',
        matches: true,
        why: 'has the tables checkpoints and writes of a LangGraph saver',
      },
    ])
    makeDatabase(scratch.path, 'create table notes (text)')
    expect(detectSource(scratch.path).filter(({ matches }) => matches)).toEqual([])
    expect(detectSource(scratch.path)).toContainEqual({
      source: 'langgraph',
      matches: false,
      why: 'has no table checkpoints',
    })
  })

  it('are named by ids of their own', async () => {
    expect(new Set(SOURCES.map(({ id }) => id)).size).toBe(SOURCES.length)
    await expect(readCheckpoint(fixture('js-done'), { source: 'nobody' })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: `Sources: ${SOURCES.map(({ id }) => id).join(', ')}.`,
    })
  })
})

describe('reading a checkpoint', () => {
  it('gives every thread, in the order of their ids, and each its own words', async () => {
    withOtherThread('py-kill-parallel', 't2')
    const { language, threads } = await readCheckpoint(scratch.path)
    expect(language).toBe('python')
    expect(threads.map(({ thread_id }) => thread_id)).toEqual(['t1', 't2'])
    expect(threads[1]?.warnings[0]?.code).toBe('checkpoint_unreadable')
  })

  it('names the threads that are near an unknown one', async () => {
    withOtherThread('js-interrupt', 'order-1042')
    await expect(readCheckpoint(scratch.path, { threadId: 'order-1024' })).rejects.toMatchObject({
      code: 'not_found',
      id: 'order-1024',
      path: scratch.path,
      message: expect.stringContaining('(did you mean order-1042?)'),
    })
    await expect(readCheckpoint(scratch.path, { threadId: 'nothing-like-it' })).rejects.not.toThrow(
      'did you mean',
    )
  })

  it('of one thread asks only for rows of that thread, by the primary key', async () => {
    withOtherThread('js-subgraph-kill', 'other')
    const asked: string[] = []
    const prepare = Database.prototype.prepare
    vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
      this: Database.Database,
      sql: string,
    ) {
      asked.push(sql)
      return prepare.call(this, sql)
    })
    const { threads } = await readCheckpoint(scratch.path, { threadId: 't1' })
    vi.restoreAllMocks()
    expect(threads.map(({ thread_id }) => thread_id)).toEqual(['t1'])
    const rowQueries = asked.filter(sql => /from (checkpoints|writes)/.test(sql))
    expect(rowQueries.length).toBeGreaterThan(5)
    const db = new Database(scratch.path)
    try {
      for (const sql of rowQueries) {
        const plan = db
          .prepare(`explain query plan ${sql}`)
          .all(...Array(sql.split('?').length - 1).fill('')) as {
          detail: string
        }[] // the columns of EXPLAIN QUERY PLAN
        expect(plan[0]?.detail).toMatch(
          /^SEARCH (checkpoints|writes) USING (COVERING )?INDEX sqlite_autoindex_\w+_1 \(thread_id=\?/,
        )
      }
    } finally {
      db.close()
    }
  })

  it('gives the ids of all tasks that have left a trace, and of those that run', async () => {
    const { document, taskIds } = await readCheckpointFully(fixture('js-subgraph-kill'))
    const known = taskIds.get('t1')
    for (const { task_id } of document.threads[0]?.will_run ?? []) expect(known).toContain(task_id)
    for (const { namespace } of document.threads[0]?.enclosing ?? [])
      expect(known).toContain(namespace.split(':').at(-1))
  })
})
