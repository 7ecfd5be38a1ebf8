import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Engine, query } from '../../../src/store/engine.js'
import { writeWhole } from '../../../src/store/new-whole-file.js'
import { archivedIn, checkArchive } from '../../../src/store/read-archive.js'
import type { Store } from '../../../src/store/store.js'
import { verify } from '../../../src/store/verify.js'
import { NOON } from '../../core/builders.js'
import { did, LOSE, later, PREPARE, PREPARE_AGAIN, SEND, tried } from '../support/changes.js'
import { closed, over, sealed, verifiedWith } from '../support/kept.js'
import { aDirectory } from '../support/places.js'
import type { NewStore } from '../support/stores.js'
import { tamperWith } from '../support/tampering.js'

const DAY = 86_400_000
const CUTOFF = NOON + DAY

export function pruningConforms(newStore: NewStore): void {
  describe('archiving', () => {
    it('takes what is over out of the ledger, and verify and seals go on fitting', async () => {
      const { store, engine } = await newStore()
      await aHistory(store)
      const before = await sealed(store, 20)
      const { removed, path } = await pruned(store)
      expect(removed).toMatchObject({ operations: 2, events: 6, before: 0, left: [] })
      expect(await rowsOf(engine)).toEqual({ operation: 0, evidence: 0, attempt: 0, external_ref: 0 })
      const after = await sealed(store, 2 * DAY + 40)
      const { findings, archived, seals } = await verifiedWith(engine, `${before.note}\n${after.note}`)
      expect(findings).toEqual([])
      expect(archived).toEqual({ operations: 2, events: 6 })
      expect(seals).toMatchObject({ sealed: after.size, anchored: after.size })
      expect(await checkArchive(path)).toMatchObject({ operations: 2, events: 6, findings: [] })
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(readFileSync(path, 'utf8')).toContain('secret of first')
    })

    it('leaves a task with something open as it is', async () => {
      const { store } = await newStore()
      await over(store, 'first', 1)
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()], later(3))
      const { removed, kept } = await pruned(store)
      expect(removed.operations).toBe(0)
      expect(kept).toMatchObject([
        { rule: 'open', operations: 1 },
        { rule: 'task_open', operations: 1 },
      ])
    })

    it('leaves what changed since it was archived', async () => {
      const { store, engine } = await newStore()
      await aHistory(store)
      const path = await archived(store)
      const evidence = [{ kind: 'probe', origin: 'looked_up', attempt: null, body: 'a late look' } as const]
      await store.addEvidence({ operation_id: 'first', evidence, by: later(30) })
      const removed = await remove(store, path)
      expect(removed).toMatchObject({ operations: 1, left: [{ operation_id: 'first', why: 'changed' }] })
      expect((await store.operation('first'))?.evidence).toHaveLength(2)
      expect((await verify(engine)).findings).toEqual([])
    })

    it('broken off between two commits goes on with the same archive, and loses nothing', async () => {
      const { store, engine } = await newStore()
      const ids = Array.from({ length: 150 }, (_, n) => `op-${n}`)
      for (const [n, id] of ids.entries()) await over(store, id, 10 * n)
      await closed(store, 5_000)
      const path = await archived(store)
      const stopped = remove(store, path, () => {
        throw new Error('broken off')
      })
      await expect(stopped).rejects.toThrow('broken off')
      expect((await verify(engine)).findings).toEqual([])
      expect((await rowsOf(engine)).operation).toBe(50)
      const rest = await remove(store, path)
      expect(rest).toMatchObject({ operations: 50, before: 100, left: [] })
      expect((await verify(engine)).findings).toEqual([])
      const read: string[] = []
      for await (const { operation_id } of archivedIn(path)) read.push(operation_id)
      expect(read).toEqual(ids)
    })
  })

  describe('an operation that was archived', () => {
    it('is never sent again under its id', async () => {
      const { store } = await newStore()
      await aHistory(store)
      await pruned(store)
      const { refusal, state } = await tried(store, 'first', [PREPARE('first'), SEND()], later(2 * DAY))
      expect(refusal).toMatchObject({ rule: 'archived', code: 'refused', other: 'first' })
      expect(refusal?.reason).toContain('archived as confirmed')
      expect(refusal?.reason).toContain('archive.jsonl')
      expect(state).toBeNull()
      expect(await store.archived('first')).toMatchObject({ status: 'confirmed', archive: 'archive.jsonl' })
      expect(await store.archivedOf('task-1')).toBe(2)
    })

    it('is never sent again under its key', async () => {
      const { store } = await newStore()
      await aHistory(store)
      const key = (await store.operation('first'))?.operation.idempotency_key
      if (key === undefined) throw new Error('it has a key')
      await pruned(store)
      const other = PREPARE('other', { task_id: 'task-2', idempotency_key: key })
      const { refusal } = await tried(store, 'other', [other, SEND()], later(2 * DAY))
      expect(refusal).toMatchObject({ rule: 'archived', other: 'first' })
    })

    it('answers for the same write of its task, unless it is asked for again with a reason', async () => {
      const { store } = await newStore()
      await aHistory(store)
      await pruned(store)
      const request = { type: 'set_status', status: 'running', reason: null } as const
      await store.changeTask({ task_id: 'task-1', request, by: later(2 * DAY), isOwnerGone: () => false })
      const input = { title: 'secret of first' }
      const same = await tried(store, 'same', [PREPARE('same', { input })], later(2 * DAY))
      expect(same.refusal).toMatchObject({ rule: 'archived', other: 'first' })
      const again = await tried(
        store,
        'same',
        [PREPARE_AGAIN('same', 'wanted twice', { input })],
        later(2 * DAY),
      )
      expect(again.refusal).toBeNull()
    })

    it('counts as a write on its target', async () => {
      const { store } = await newStore()
      const target = 'tickets/7'
      const idempotent = { target, repeat: { kind: 'idempotent' } as const, task_id: 'task-2' }
      await did(store, 'waits', [PREPARE('waits', idempotent), SEND(), LOSE()], later(1))
      await did(store, 'first', [PREPARE('first', { target }), SEND()], later(2))
      await did(store, 'first', [{ request: REJECT, evidence: [REFUSED] }], later(3))
      await closed(store, 4)
      const touched = async () => (await store.operation('waits'))?.target_touched
      expect(await touched()).toBe(true)
      expect((await pruned(store)).removed.operations).toBe(1)
      expect(await touched()).toBe(true)
    })

    it('cannot be written anew past this program either', async () => {
      const { store, engine } = await newStore()
      await aHistory(store)
      await pruned(store)
      const columns = await engine.read(() => query('select * from ledger_pruned limit 1'))
      expect(columns).toHaveLength(1)
      await expect(engine.write(() => query('delete from ledger_pruned'))).rejects.toThrow()
      await expect(engine.write(() => query('update ledger_pruned set batch = 1'))).rejects.toThrow()
    })
  })

  describe('verify', () => {
    it.each([
      [`delete from ledger_pruned where operation_id = 'first'`],
      [`update ledger_pruned set status = 'not_executed' where operation_id = 'first'`],
      [
        `update ledger_pruned_event set hash = (select hash from ledger_event where seq = 1) where event_seq = (select min(event_seq) from ledger_pruned_event)`,
      ],
      [`update ledger_pruned set batch = 99`],
    ])('finds %s', async sql => {
      const { store, engine } = await newStore()
      await aHistory(store)
      await pruned(store)
      await tamperWith(engine, sql)
      const rules = (await verify(engine)).findings.map(({ rule }) => rule)
      expect(rules).toContain('archive_differs')
    })
  })

  describe('the guards of the tables', () => {
    it.each([
      `delete from ledger_operation where operation_id = 'first'`,
      `delete from ledger_evidence where operation_id = 'first'`,
      `delete from ledger_event where subject_id = 'first'`,
      `delete from ledger_external_ref`,
    ])('refuse %s before it was archived', async sql => {
      const { store, engine } = await newStore()
      await aHistory(store)
      await expect(engine.write(() => query(sql))).rejects.toThrow()
    })
  })

  describe('an archive', () => {
    it.each([
      ['a line is missing', (text: string) => lines(text).toSpliced(2, 1).join('\n')],
      ['its end is cut off', (text: string) => lines(text).slice(0, -2).join('\n')],
      ['a body was changed', (text: string) => text.replace('T-1', 'T-2')],
      [
        'a record was changed beside its chains',
        (text: string) => text.replace('"tool":"tickets', '"tool":"tackets'),
      ],
      ['something follows its last line', (text: string) => `${text}{}\n`],
    ])('does not verify where %s', async (_, change) => {
      const { store } = await newStore()
      await aHistory(store)
      const path = await archived(store)
      const text = readFileSync(path, 'utf8')
      expect(change(text)).not.toBe(text)
      writeFileSync(path, change(text))
      expect((await checkArchive(path)).findings).not.toEqual([])
    })
  })
}

const REJECT = {
  type: 'reject',
  attempt: 1,
  fence: 2,
  error: { rule: 'http.refused', message: 'no', at: NOON, attempt: 1 },
} as const

const REFUSED = { kind: 'error', origin: 'observed', attempt: 1, body: 'refused' } as const

const lines = (text: string) => text.split('\n')

async function aHistory(store: Store): Promise<void> {
  await over(store, 'first', 1)
  await over(store, 'second', 11)
  await closed(store, 15)
}

async function archivedWith(store: Store) {
  const path = `${aDirectory()}/archive.jsonl`
  const all = store.archiveLines({ settledBefore: CUTOFF, now: CUTOFF + DAY, program: 'a test' })
  const texts: string[] = []
  for (;;) {
    const line = await all.next()
    if (line.done === true) {
      await writeWhole(path, texts, 'new')
      return { path, kept: line.value.kept }
    }
    texts.push(line.value)
  }
}

async function archived(store: Store): Promise<string> {
  return (await archivedWith(store)).path
}

async function remove(store: Store, path: string, onProgress: () => void = () => undefined) {
  return store.removeArchived({
    actor: 'ana',
    clock: () => later(2 * DAY).clock(),
    settledBefore: CUTOFF,
    archive: 'archive.jsonl',
    archive_digest: (await checkArchive(path)).digest,
    operations: archivedIn(path),
    onProgress,
  })
}

async function pruned(store: Store) {
  const { path, kept } = await archivedWith(store)
  return { path, kept, removed: await remove(store, path) }
}

async function rowsOf(engine: Engine): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['operation', 'evidence', 'attempt', 'external_ref']) {
    const [row] = await engine.read(() => query(`select count(*) as n from ledger_${table}`))
    counts[table] = Number(row?.cells[0])
  }
  return counts
}
