import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { newAction } from '../../src/core/action.js'
import { executing } from '../../src/ledger/executing.js'
import { fetching } from '../../src/ledger/fetching.js'
import type { Session } from '../../src/ledger/session.js'
import { watchLedger } from '../../src/ledger/watch.js'
import { HOUR } from '../core/stall/subjects.js'
import { OWNER } from '../ledger/support/a-ledger.js'
import { aLoop, eventsOf, GRACE, looked, POLL, poll, sessionOf } from './support/watching.js'

describe('a notice', () => {
  it('is given once, whoever looks again and however long it goes on', async () => {
    const ledger = await aLoop()
    const [notice] = await looked(ledger)
    expect(notice).toMatchObject({
      event: 'noticed',
      subject: 'task',
      subject_id: 'run-7',
      rule: 'loop_same_action_same_result',
      grace_until: ledger.clock().at + GRACE,
    })
    await poll(ledger)
    expect(await looked(ledger)).toEqual([])
    expect(await looked(ledger, {}, 'host/boot/43/ns/1/def')).toEqual([])
  })

  it('lets nothing but reads be newly sent while its grace lasts', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    const executes = executing(sessionOf(ledger, OWNER))
    expect(await executes.send('op-1')).toMatchObject({ sent: false })
    await ledger.prepared({ task_id: 'run-7', operation_id: 'look', tool: 'ls', effect: 'read' })
    expect(await executes.send('look')).toMatchObject({ sent: true })
    const history = await ledger.store.events({ about: { task_id: 'run-7' }, type: 'hold', limit: 9 })
    expect(history).toHaveLength(1)
  })

  it('is over when something new came of it, and then the task sends again', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    await poll(
      ledger,
      newAction({ tool: 'log', input: {}, result: 'line 1', outcome: 'ok' }, value => value),
    )
    expect(eventsOf(await looked(ledger))).toEqual(['ended'])
    expect(await ledger.store.task('run-7')).toMatchObject({ status: 'running', grace_until: null })
    expect(await executing(sessionOf(ledger, OWNER)).send('op-1')).toMatchObject({ sent: true })
    expect((await ledger.store.verify()).findings).toEqual([])
  })

  it('leads to a suspension just when its grace is over, and not before', async () => {
    const ledger = await aLoop()
    await ledger.inFlight({ task_id: 'run-7', operation_id: 'read-1', effect: 'read', tool: 'ls' }, null)
    await looked(ledger)
    ledger.clock.advance(GRACE - 1)
    expect(eventsOf(await looked(ledger)).filter(event => event === 'suspended')).toEqual([])
    ledger.clock.advance(1)
    expect(eventsOf(await looked(ledger))).toContain('suspended')
    const task = await ledger.store.task('run-7')
    expect(task).toMatchObject({ status: 'suspended', epoch: 2, taken_over_by: null })
    expect((await ledger.store.operation('read-1'))?.operation.status).toBe('unknown')
    expect(await executing(sessionOf(ledger, OWNER)).send('op-1')).toMatchObject({ sent: false })
    await ledger.as('ana').handback('run-7', 'looked at it')
    expect(await ledger.store.task('run-7')).toMatchObject({ status: 'running' })
    // a person's word: what it did before counts no more
    expect(eventsOf(await looked(ledger)).filter(event => event === 'noticed')).toEqual([])
  })

  it('leads to none while somebody looks at the task, nor where no rule does', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    ledger.clock.advance(GRACE)
    await ledger.as('ana').claim('run-7', { until: ledger.clock().at + HOUR })
    expect(await looked(ledger)).toContainEqual(
      expect.objectContaining({ event: 'held_back', reason: 'ana is looking at it' }),
    )
    const other = await aLoop()
    expect(await looked(other, { suspend: [] })).toMatchObject([{ event: 'noticed', grace_until: null }])
    expect(await other.store.task('run-7')).toMatchObject({ grace_until: null })
  })
})

describe('what holds a suspension back', () => {
  it('is said when it begins to, not at every look, and again where another one looks', async () => {
    const ledger = await aLoop()
    await looked(ledger)
    ledger.clock.advance(GRACE)
    const claim = (who: string) => ledger.as(who).claim('run-7', { until: ledger.clock().at + HOUR })
    await claim('ana')
    const told = new AbortController()
    let looks = 0
    const session = sessionOf(ledger, OWNER)
    const store: Session['store'] = {
      ...session.store,
      lead: async lease => {
        looks += 1
        if (looks === 4) {
          await ledger.as('ana').release('run-7')
          await claim('lee')
        }
        if (looks === 6) told.abort()
        return session.store.lead(lease)
      },
    }
    const executes = executing(session)
    const watching = watchLedger(
      session,
      { ...session, store, epochs: new Map() },
      {
        options: { everyMs: 100, graceMs: GRACE, signal: told.signal },
        notifying: { ...executes, ...fetching(session, executes) },
      },
    )
    const reasons: (string | undefined)[] = []
    for await (const { event, reason } of watching) if (event === 'held_back') reasons.push(reason)
    expect(looks).toBe(6)
    expect(reasons).toEqual(['ana is looking at it', 'lee is looking at it'])
  })
})

describe('a row that does not fit its history', () => {
  it('keeps the supervisor from no other, and is said', async () => {
    const ledger = await aLoop()
    await ledger.prepared({ task_id: 'run-8', operation_id: 'op-8', input: 8 })
    for (let i = 0; i < 4; i++)
      await ledger.store.signal({
        kind: 'activity',
        subject: { task_id: 'run-8' },
        action: POLL,
        clock: ledger.clock,
      })
    const db = new Database(ledger.path)
    db.exec(
      "drop trigger ledger_event_delete; delete from ledger_event where subject = 'task' and subject_id = 'run-7'",
    )
    db.close()
    const events = await looked(ledger)
    expect(events).toMatchObject([
      { event: 'held_back', subject_id: 'run-7', reason: expect.stringContaining('agent-ledger verify') },
      { event: 'noticed', subject_id: 'run-8' },
    ])
  })
})
