import { describe, expect, it } from 'vitest'
import { number } from '../../../src/store/cells.js'
import { linkHash } from '../../../src/store/chain.js'
import { type Engine, query } from '../../../src/store/engine.js'
import { newKey, signingKey } from '../../../src/store/sealing/keys.js'
import { signedNote } from '../../../src/store/sealing/note.js'
import { operationBundle } from '../../../src/store/sql-store/verify-reads.js'
import type { Store } from '../../../src/store/store.js'
import { verify } from '../../../src/store/verify.js'
import { attestation, later } from '../support/changes.js'
import { MADE, over, sealed, verifiedWith } from '../support/kept.js'
import type { NewStore } from '../support/stores.js'
import { tamperWith } from '../support/tampering.js'

const LAST_OF_SECOND = `subject = 'operation' and subject_id = 'second' and n = 3`

export function sealingConforms(newStore: NewStore): void {
  describe('a seal', () => {
    it('is over all events, goes on from the one before, and says where nothing is new', async () => {
      const { store, engine } = await newStore()
      await over(store, 'first', 1)
      const one = await sealed(store, 10)
      await over(store, 'second', 11)
      const two = await sealed(store, 20)
      const again = await sealed(store, 30)
      // the first one's own event among them
      expect([one.before, two.before, two.size]).toEqual([0, one.size, one.size + 4])
      expect([two.isNew, again.isNew, again.note]).toEqual([true, false, two.note])
      const { findings, seals, checked } = await verifiedWith(
        engine,
        `${one.note}\n${two.note}`,
        MADE.verifier,
      )
      expect(findings).toEqual([])
      expect(seals).toMatchObject({
        sealed: two.size,
        anchors: 2,
        anchored: two.size,
        signatures_checked: true,
      })
      expect(checked.events).toBe(two.size + 1)
    })

    it('covers evidence that concluded nothing: its end cannot be cut off unseen', async () => {
      const { store, engine } = await newStore()
      await over(store, 'first', 1)
      await store.addEvidence({ operation_id: 'first', evidence: [attestation()], by: later(5) })
      await sealed(store, 10)
      const bundle = await engine.read(() => operationBundle('first'))
      await tamperWith(
        engine,
        `delete from ledger_evidence where operation_id = 'first' and n = 2`,
        `update ledger_operation
         set evidence_count = 1, evidence_head = ${bytesIn(engine, bundle?.evidence[0]?.hash)}
         where operation_id = 'first'`,
      )
      expect(rulesOf(await verify(engine))).toEqual(['evidence_not_as_cited'])
    })
  })

  /** Ways to rewrite history with all its hashes made anew, so that nothing inside the ledger shows it. */
  const REWRITINGS: readonly {
    readonly what: string
    readonly rewrite: (engine: Engine) => Promise<void>
    /** what the ledger's own seals say of it */
    readonly bySeals: readonly string[]
  }[] = [
    {
      what: 'an event said to be by another, with its hash made anew',
      rewrite: async engine => {
        const hash = await hashAnew(engine, 'mallory')
        await tamperWith(
          engine,
          `update ledger_event set actor = 'mallory', hash = ${bytesIn(engine, hash)} where ${LAST_OF_SECOND}`,
        )
      },
      bySeals: ['seal_differs'],
    },
    {
      what: 'an operation removed with all of it, and the numbers closed up',
      rewrite: async engine => {
        await tamperWith(
          engine,
          ...['external_ref', 'evidence', 'attempt'].map(
            table => `delete from ledger_${table} where operation_id = 'first'`,
          ),
          `delete from ledger_event where subject = 'operation' and subject_id = 'first'`,
          `delete from ledger_operation where operation_id = 'first'`,
        )
        const seqs = await seqsOf(engine)
        await tamperWith(engine, ...seqs.map((seq, place) => moved(seq, place + 1)))
      },
      bySeals: ['seal_differs'],
    },
    {
      what: 'two events of different chains in each other’s place',
      rewrite: async engine => {
        // written in one commit: their times are the same
        const [a = 0] = await seqsOf(engine, `subject = 'task'`)
        const [b = 0] = await seqsOf(engine, `subject_id = 'first'`)
        await tamperWith(engine, moved(a, 9_000), moved(b, a), moved(9_000, b))
      },
      bySeals: ['seal_differs'],
    },
    {
      what: 'an event slipped in, with the row made to fit',
      rewrite: async engine => {
        const bundle = await engine.read(() => operationBundle('first'))
        const last = bundle?.events.at(-1)
        if (last === undefined) throw new Error('it has events')
        const body = JSON.stringify({ from: 'confirmed', to: 'confirmed' })
        const ledger_id = await idOf(engine)
        const link = {
          ledger_id,
          subject: 'operation',
          subject_id: 'first',
          n: 4,
          type: 'acknowledge',
        } as const
        const hash = linkHash({ ...link, at: last.at, actor: 'x', event: last.event, body, prev: last.hash })
        const at = (await seqsOf(engine, `subject_id = 'first'`)).at(-1) ?? 0
        const behind = (await seqsOf(engine, `seq > ${at}`)).reverse()
        await tamperWith(
          engine,
          ...behind.map(seq => moved(seq, seq + 1)),
          `insert into ledger_event (seq, subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
           values (${at + 1}, 'operation', 'first', 4, 'acknowledge', ${last.at}, '${last.event.boot_id}',
             ${last.event.boot_ms}, 'x', '${body}', ${bytesIn(engine, hash)})`,
          `update ledger_operation set version = 4 where operation_id = 'first'`,
        )
      },
      bySeals: ['seal_differs'],
    },
    {
      what: 'the end cut off, the seal too',
      rewrite: engine => tamperWith(engine, ...WITHOUT_SECOND),
      bySeals: [],
    },
  ]

  describe('a history that was rewritten', () => {
    it.each(REWRITINGS)('is found by seals and anchors: $what', async ({ rewrite, bySeals }) => {
      const { store, engine } = await newStore()
      const { note } = await aHistory(store)
      await rewrite(engine)
      expect(rulesOf(await verify(engine))).toEqual(bySeals)
      const { findings, seals } = await verifiedWith(engine, note, MADE.verifier)
      const [found] = findings.filter(({ rule }) => rule.startsWith('anchor_'))
      expect(['anchor_differs', 'anchor_beyond']).toContain(found?.rule)
      expect(seals.anchored).toBe(0)
    })

    it.each(REWRITINGS)('is found by anchors alone: $what', async ({ rewrite }) => {
      const { store, engine } = await newStore()
      const { note } = await aHistory(store)
      await rewrite(engine)
      // the seal taken out as well: now nothing inside tells
      await tamperWith(engine, `delete from ledger_event where type = 'seal'`)
      expect(rulesOf(await verify(engine))).toEqual([])
      expect(rulesOf(await verifiedWith(engine, note, MADE.verifier))).toEqual([
        expect.stringMatching(/^anchor_(?:differs|beyond)$/),
      ])
    })

    it('is named as the events between the last anchor that fits and the next', async () => {
      const { store, engine } = await newStore()
      await over(store, 'first', 1)
      const early = await sealed(store, 10)
      await over(store, 'second', 11)
      const late = await sealed(store, 20)
      const hash = await hashAnew(engine, 'mallory')
      await tamperWith(
        engine,
        `update ledger_event set actor = 'mallory', hash = ${bytesIn(engine, hash)} where ${LAST_OF_SECOND}`,
      )
      const { findings, seals } = await verifiedWith(engine, `${early.note}\n${late.note}`)
      expect(seals).toMatchObject({ anchored: early.size, signatures_checked: false })
      expect(findings.find(({ rule }) => rule === 'anchor_differs')?.message).toMatch(
        new RegExp(`the anchor of ${late.size} events .* events \\d+ to ${late.size} of all`),
      )
    })
  })

  describe('an anchor', () => {
    it('that another key signed proves nothing', async () => {
      const { store, engine } = await newStore()
      const { origin, size, root, note } = await aHistory(store)
      const key = signingKey(newKey('a-test').privatePem, 'a-test')
      const forged = signedNote({ origin, size, root }, key)
      expect(rulesOf(await verifiedWith(engine, `${note}\n${forged}`, MADE.verifier))).toEqual([
        'anchor_not_signed',
      ])
    })

    it('of another ledger is named', async () => {
      const { store, engine } = await newStore()
      const { note } = await aHistory(store)
      const other = note.replace(/agent-ledger\/[^\n]+/, 'agent-ledger/another')
      expect(rulesOf(await verifiedWith(engine, other))).toEqual(['anchor_differs'])
    })
  })

  it('refuses to go on from a seal that contradicts itself', async () => {
    const { store, engine } = await newStore()
    await aHistory(store)
    await tamperWith(
      engine,
      `update ledger_event set body = replace(body, '"size":', '"size":1') where type = 'seal'`,
    )
    await expect(sealed(store, 40)).rejects.toMatchObject({ code: 'ledger_damaged' })
  })
}

async function aHistory(store: Store) {
  await over(store, 'first', 1)
  await over(store, 'second', 11)
  return sealed(store, 20)
}

const WITHOUT_SECOND = [
  ...['external_ref', 'evidence', 'attempt'].map(
    table => `delete from ledger_${table} where operation_id = 'second'`,
  ),
  `delete from ledger_event where type = 'seal' or subject = 'operation' and subject_id = 'second'`,
  `delete from ledger_operation where operation_id = 'second'`,
]

function rulesOf({ findings }: { readonly findings: readonly { readonly rule: string }[] }): string[] {
  return [...new Set(findings.map(({ rule }) => rule))]
}

function bytesIn({ kind }: Engine, hash: Buffer | undefined): string {
  const hex = hash?.toString('hex') ?? ''
  return kind === 'postgresql' ? `'\\x${hex}'::bytea` : `x'${hex}'`
}

async function idOf(engine: Engine): Promise<string> {
  return (await verify(engine)).ledger_id
}

/** The hash that the last event of `second` has with another actor. */
async function hashAnew(engine: Engine, actor: string): Promise<Buffer> {
  const bundle = await engine.read(() => operationBundle('second'))
  const [before, last] = bundle?.events.slice(-2) ?? []
  if (before === undefined || last === undefined) throw new Error('it has two events')
  const { n, type, at, event, body } = last
  const ledger_id = await idOf(engine)
  const place = { ledger_id, subject: 'operation', subject_id: 'second', n } as const
  return linkHash({ ...place, type, at, actor, event, body, prev: before.hash })
}

/** Places of events in the order of all. */
async function seqsOf(engine: Engine, where = 'seq > 0'): Promise<number[]> {
  const rows = await engine.read(() => query(`select seq from ledger_event where ${where} order by seq`))
  return rows.map(row => number(row, 'seq'))
}

function moved(from: number, to: number): string {
  return `update ledger_event set seq = ${to} where seq = ${from}`
}
