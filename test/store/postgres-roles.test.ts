import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { approvalDigest } from '../../src/core/approval-digest.js'
import { createStore, grantRoles, openStore, openStoreForReading } from '../../src/store/open.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'

let server: PostgresServer
let url: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  await createStore(asked(url))
  const made = await grantRoles(asked(url))
  const again = await grantRoles(asked(url)) // once more changes nothing
  expect([made, again].map(roles => roles.map(one => one.made))).toEqual([
    [true, true, true],
    [false, false, false],
  ])
  await withClient(url, async client => {
    for (const role of ['reader', 'writer', 'operator'])
      await client.query(`create role a_${role} login in role agent_ledger_${role}`)
  })
})
afterAll(() => server.remove())

const asked = (of: string) => ({ url: of, waitMs: 5_000, clock: () => stampAt(NOON), program: 'a test' })
const as = (role: string) => url.replace('//ledger@', `//a_${role}@`)

async function opened(role: string) {
  const store = await openStore(asked(as(role)))
  onTestFinished(() => store.close())
  return store
}

describe('the roles of a server', () => {
  it('let agents write, people decide and others look', async () => {
    const agent = await opened('writer')
    await did(agent, 'op', [PREPARE('op'), SEND()])
    await did(agent, 'op', [CONFIRM()], later(1))
    await did(agent, 'lost', [PREPARE('lost'), SEND(), LOSE()], later(2))
    const by = later(3, 'ana')
    const person = await opened('operator')
    const request = { type: 'takeover', reason: 'mine' } as const
    const taken = await person.changeTask({ task_id: 'task-1', request, by, isOwnerGone: () => false })
    expect(taken.refusal).toBeNull()
    await person.addNote({ task_id: 'task-1', kind: 'remark', body: 'x' }, by)
    await person.claim({ subject: { task_id: 'task-1' }, actor: 'ana', at: NOON, until: NOON + 1 })
    expect(await person.release({ task_id: 'task-1' }, by)).toBe(true)
    const reader = await openStoreForReading(asked(as('reader')))
    onTestFinished(() => reader.close())
    expect((await reader.verify()).findings).toEqual([])
  })

  it('let an agent use an approval and not give one', async () => {
    const [agent, person] = [await opened('writer'), await opened('operator')]
    const approved = PREPARE('asks', { contract: { approval: 'required' } })
    const { operation } = await did(agent, 'asks', [approved], later(4))
    const digest = approvalDigest(operation)
    const leave = { operation_id: 'asks', digest, approved: {}, reason: 'fine', expires_at: null, uses: 1 }
    await person.changeTask({
      task_id: 'task-1',
      request: { type: 'handback', reason: 'done' },
      by: later(5, 'ana'),
      isOwnerGone: () => false,
    })
    await expect(agent.approve(leave, later(6))).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect((await person.approve(leave, later(7, 'ana')))?.approval).not.toBeNull()
    await did(agent, 'asks', [SEND({ epoch: 2 })], later(8))
  })

  it('let a person blank and archive what is over, and no agent', async () => {
    const [agent, person] = [await opened('writer'), await opened('operator')]
    const of = { task_id: 'task-9' }
    await did(agent, 'over', [PREPARE('over', of), SEND()], later(20))
    await did(agent, 'over', [CONFIRM()], later(21))
    const redacting = { operation_id: 'over', reason: 'a password', parts: null, isDryRun: false }
    await expect(agent.redact(redacting, later(22))).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect((await person.redact(redacting, later(23, 'ana'))).parts).not.toEqual([])
    const request = { type: 'set_status', status: 'completed', reason: null } as const
    await agent.changeTask({ ...of, request, by: later(24), isOwnerGone: () => false })
    const bundle = await person.operation('over')
    const events = await person.events({ about: { operation_id: 'over' }, limit: 99 })
    const head = events.filter(({ subject }) => subject === 'operation').at(-1)?.hash ?? ''
    const archived = { operation_id: 'over', head, evidence_head: bundle?.evidence.at(-1)?.hash ?? null }
    const removing = {
      actor: 'ana',
      clock: () => later(30).clock(),
      settledBefore: NOON + 29,
      archive: 'a.jsonl',
      archive_digest: archived.head,
      operations: (async function* () {
        yield archived
      })(),
    }
    await expect(agent.removeArchived(removing)).rejects.toMatchObject({ code: 'ledger_unwritable' })
    const again = (async function* () {
      yield archived
    })()
    expect(await person.removeArchived({ ...removing, operations: again })).toMatchObject({ operations: 1 })
    expect((await person.verify()).findings).toEqual([])
  })

  /** the right is missing, or a guard says no */
  const REFUSALS = /permission denied|must be owner|only grows|never changes|only what is settled/

  const FORBIDDEN: readonly (readonly [string, string])[] = [
    ['change an event', `update ledger_event set actor = 'eve'`],
    ['remove an event', 'delete from ledger_event'],
    ['empty the events', 'truncate ledger_event cascade'],
    ['switch a trigger off', 'alter table ledger_event disable trigger all'],
    ['drop a guard', 'drop function ledger_only_grows cascade'],
    ['change evidence', `update ledger_evidence set actor = 'eve'`],
    ['remove an operation', 'delete from ledger_operation'],
    ['change an input', `update ledger_operation set input = '{"redacted":{}}'`],
    ['change the body of an event', `update ledger_event set body = '{"redacted":{"digest":"x"}}'`],
    [
      'take an operation for archived that is open',
      `insert into ledger_pruned values ('lost', 'task-1', 't', null, null, 's', 'k', sha256(''), 'confirmed', 1, 1)`,
    ],
    ['change what stays of an archive', `update ledger_pruned set status = 'cancelled'`],
    ['drop a table', 'drop table ledger_note'],
    ['say that the schema is another', 'update ledger_schema set version = 2'],
    ['take the ledger for another', `update ledger_meta set ledger_id = 'x'`],
    ['play past the triggers', 'set session_replication_role = replica'],
  ]

  it.each(FORBIDDEN)('let neither agents nor people %s', async (_, sql) => {
    for (const role of ['writer', 'operator', 'reader'])
      await withClient(as(role), async client => {
        await client.query('set search_path = agent_ledger')
        await expect(client.query(sql)).rejects.toThrow(REFUSALS)
      })
  })

  it('let nobody who only looks write', async () => {
    const error = openStore(asked(as('reader'))).then(store => did(store, 'x', [PREPARE('x')]))
    await expect(error).rejects.toMatchObject({
      code: 'ledger_unwritable',
      exitCode: 3,
      hint: expect.stringMatching(/agent_ledger_writer/),
    })
  })

  it('give nobody but operators a right to change or remove what only grows', async () => {
    const { rows } = await withClient(url, client =>
      client.query(
        `select grantee, table_name, privilege_type
         from information_schema.table_privileges
         where grantee in ('agent_ledger_reader', 'agent_ledger_writer')
           and table_name in ('ledger_event', 'ledger_evidence', 'ledger_external_ref', 'ledger_note')
           and privilege_type not in ('SELECT', 'INSERT')`,
      ),
    )
    expect(rows).toEqual([])
  })

  it('hold the events even against the owner of the tables', async () => {
    await withClient(url, async client => {
      await client.query('set search_path = agent_ledger')
      await expect(client.query('delete from ledger_event')).rejects.toThrow(/only grows/)
      await expect(client.query('truncate ledger_event')).rejects.toThrow(/only grows/)
    })
  })

  it('are refused with a word where this user may make none', async () => {
    await expect(grantRoles(asked(as('operator')))).rejects.toMatchObject({ code: 'ledger_unwritable' })
    await expect(grantRoles(asked('/some/file.db'))).rejects.toMatchObject({ code: 'usage' })
  })
})
