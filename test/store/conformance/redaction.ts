import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/core/digest.js'
import { type Engine, query } from '../../../src/store/engine.js'
import { columnList, TABLES } from '../../../src/store/moving/tables.js'
import type { Store } from '../../../src/store/store.js'
import { verify } from '../../../src/store/verify.js'
import { ANA, attestation, CONFIRM, did, later, PREPARE, receipt, SEND, step } from '../support/changes.js'
import { sealed, verifiedWith } from '../support/kept.js'
import type { NewStore } from '../support/stores.js'
import { tamperWith } from '../support/tampering.js'

const SECRET = 'hunter2'
const REASON = 'a password was pasted'

export function redactionConforms(newStore: NewStore): void {
  describe('a redaction', () => {
    it('takes every text of an operation out of the ledger, and all goes on fitting', async () => {
      const { store, engine } = await newStore()
      await aSecret(store)
      const { note } = await sealed(store, 20)
      expect(await holds(engine, SECRET)).not.toEqual([])
      const { parts } = await redactAll(store)
      expect(parts.map(({ part, n }) => `${part} ${n}`)).toEqual([
        'input 0',
        'result 0',
        'evidence 1',
        'evidence 2',
        'event 4',
        'event 5',
      ])
      expect(await holds(engine, SECRET)).toEqual([])
      const { findings, redacted, seals } = await verifiedWith(engine, note)
      expect(findings).toEqual([])
      expect(seals.anchored).toBeGreaterThan(0)
      expect(redacted).toMatchObject([{ operation_id: 'op', actor: 'ana', reason: REASON, parts }])
      await did(store, 'next', [PREPARE('next'), SEND()], later(40))
      expect((await verify(engine)).findings).toEqual([])
    })

    it('changes nothing else of the record', async () => {
      const { store } = await newStore()
      await aSecret(store)
      const before = await store.operation('op')
      await redactAll(store)
      const after = await store.operation('op')
      if (before === null || after === null) throw new Error('it is there')
      const texts = { input: null, result: null, last_error: null, flags: {} }
      expect({ ...after.operation, ...texts }).toEqual({ ...before.operation, ...texts })
      expect(after.evidence.map(({ body: _, ...rest }) => rest)).toEqual(
        before.evidence.map(({ body: _, ...rest }) => rest),
      )
      const input = JSON.stringify({ title: SECRET })
      const left = { redacted: { digest: sha256(input), bytes: input.length } }
      expect(after.operation.input).toEqual(left)
      expect(after.operation.result).toBeNull()
      expect(after.evidence[0]?.body).toMatchObject({ redacted: { digest: expect.any(String) } })
      expect(after.external_ids).toEqual(before.external_ids)
    })

    it('takes only the parts that are named, and each once', async () => {
      const { store, engine } = await newStore()
      await aSecret(store)
      const asked = { operation_id: 'op', reason: REASON, parts: [{ part: 'evidence', n: 2 } as const] }
      const would = await store.redactable(asked)
      expect((await verify(engine)).redacted).toEqual([])
      const done = await store.redact(asked, later(30))
      expect(done.parts).toEqual(would.parts)
      expect((await store.redact(asked, later(31))).parts).toEqual([])
      expect((await redactAll(store)).parts.map(({ part, n }) => `${part} ${n}`)).not.toContain('evidence 2')
      expect((await verify(engine)).findings).toEqual([])
    })

    it('is refused while the operation is open, for a number it has not, and where it does not verify', async () => {
      const { store, engine } = await newStore()
      await did(store, 'open', [PREPARE('open'), SEND()], later(1))
      const asked = { operation_id: 'open', reason: REASON, parts: null }
      await expect(store.redact(asked, later(2))).rejects.toMatchObject({ code: 'refused', rule: 'settled' })
      await aSecret(store)
      const of = { ...asked, operation_id: 'op' }
      await expect(store.redact({ ...of, parts: [{ part: 'event', n: 9 }] }, ANA)).rejects.toMatchObject({
        code: 'not_found',
      })
      await tamperWith(engine, `update ledger_operation set settled_by = 'receipt' where operation_id = 'op'`)
      await expect(store.redact(of, later(40))).rejects.toMatchObject({ code: 'ledger_damaged' })
    })

    it('leaves nothing that could be sent', async () => {
      const { store } = await newStore()
      await aSecret(store)
      await redactAll(store)
      const reopen = { type: 'reopen', reason: 'x', expected_version: null } as const
      const allow = {
        type: 'allow_retry',
        reason: 'x',
        expected_version: null,
        accept_duplicate: 'it may be there twice',
      } as const
      await did(store, 'op', [step(reopen), step(allow)], later(50))
      const { refusal } = await store.change({
        operation_id: 'op',
        by: later(51),
        isOwnerGone: () => false,
        plan: () => [SEND()],
        onRefusal: 'keep',
      })
      expect(refusal).toMatchObject({ rule: 'input_kept' })
    })
  })

  describe('the guards of the tables', () => {
    const BLANK = `{"redacted":{"digest":"${sha256('x')}","bytes":1}}`
    it.each([
      `update ledger_event set body = '${BLANK}' where subject = 'operation' and n = 1`,
      `update ledger_evidence set body = '${BLANK}' where n = 1`,
      `update ledger_operation set input = '${BLANK}'`,
      `update ledger_event set actor = 'eve' where type = 'redact'`,
      `update ledger_event set body = '{}' where type = 'redact'`,
    ])('refuse %s, of which nothing is on record', async sql => {
      const { store, engine } = await newStore()
      await aSecret(store)
      const parts = [{ part: 'evidence', n: 2 } as const]
      await store.redact({ operation_id: 'op', reason: REASON, parts }, later(30))
      await expect(engine.write(() => query(sql))).rejects.toThrow()
    })
  })

  describe('verify', () => {
    it('finds a body that was blanked without a record of it', async () => {
      const { store, engine } = await newStore()
      await aSecret(store)
      await tamperWith(
        engine,
        `update ledger_evidence set body = '{"redacted":{"digest":"${sha256('x')}","bytes":1}}' where n = 2`,
      )
      expect((await verify(engine)).findings.map(({ rule }) => rule)).toEqual(['evidence_changed'])
    })

    it('finds what is left of a blanked body changed', async () => {
      const { store, engine } = await newStore()
      await aSecret(store)
      await redactAll(store)
      await tamperWith(
        engine,
        `update ledger_event set body = replace(body, '(redacted)', 'invented') where subject = 'operation'`,
        `update ledger_evidence set body = replace(body, 'bytes', 'sizes') where n = 1`,
        `update ledger_operation set input = '{"redacted":{}}'`,
      )
      const { findings } = await verify(engine)
      expect(new Set(findings.map(({ rule }) => rule))).toEqual(
        new Set(['event_changed', 'evidence_changed']),
      )
    })

    it('finds the tombstone of an input changed', async () => {
      const { store, engine } = await newStore()
      await aSecret(store)
      await redactAll(store)
      await tamperWith(engine, `update ledger_operation set input = '{"redacted":{}}'`)
      expect((await verify(engine)).findings.map(({ rule }) => rule)).toEqual(['intent_differs'])
    })
  })
}

/** An operation whose input, result, evidence, error and reason all hold a password; settled by a person. */
async function aSecret(store: Store): Promise<void> {
  await did(store, 'op', [PREPARE('op', { input: { title: SECRET } }), SEND()], later(1))
  await did(store, 'op', [CONFIRM({ result: { said: SECRET } }, [receipt(1, { got: SECRET })])], later(2))
  const reopen = { type: 'reopen', reason: `the log says ${SECRET}`, expected_version: null } as const
  await did(store, 'op', [step(reopen)], later(3))
  const confirm = {
    type: 'resolve_confirmed',
    reason: `the mail says ${SECRET}`,
    expected_version: null,
    external_ids: [],
    result: { said: SECRET },
    result_digest: null,
  } as const
  await did(store, 'op', [step(confirm, [attestation(`seen: ${SECRET}`)])], later(4))
}

function redactAll(store: Store) {
  return store.redact({ operation_id: 'op', reason: REASON, parts: null }, later(30))
}

/** The tables that hold a text, anywhere in any row. */
async function holds(engine: Engine, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { name, columns } of TABLES) {
    const rows = await engine.read(() => query(`select ${columnList(columns)} from ${name}`))
    if (rows.some(({ cells }) => cells.some(cell => String(cell).includes(text)))) found.push(name)
  }
  return found
}
