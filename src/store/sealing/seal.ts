import { setTimeout as wait } from 'node:timers/promises'
import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import { type Engine, lock, type Sql } from '../engine.js'
import { timeOfCommit } from '../sql-store/clock.js'
import { appendLedgerEvent } from '../sql-store/events.js'
import { eventOrder, lastEventSeq, lastSeal, type SealEvent, writersUnderWay } from '../sql-store/seals.js'
import { type Checkpoint, originOf } from './checkpoint.js'
import { EMPTY, grown, isTree, rootOf, type Tree } from './merkle.js'

export interface Sealing {
  readonly ledger_id: string
  readonly actor: string
  readonly clock: () => Stamp
  /** how long to wait for writers of PostgreSQL that are under way */
  readonly waitMs: number
  /** makes the checkpoint into what is kept and handed on */
  readonly sign: (checkpoint: Checkpoint) => string
}

export interface Seal extends Checkpoint {
  /** the checkpoint with its signature */
  readonly note: string
  /** false: nothing but the last seal was written since, and this is that seal, signed anew */
  readonly isNew: boolean
  /** how many events the one before was over; 0 for the first */
  readonly before: number
}

type SealedEngine = Pick<Engine, 'kind' | 'read' | 'write'>

const PAGE = 5_000

/**
 * Seals all events so far: the root of the tree over them goes into the ledger's own chain, signed, to be kept elsewhere.
 * It goes on from the last seal and keeps its root, so what was sealed before cannot become something else: a history that
 * was rewritten does not fit any seal after it either.
 * @throws LedgerError busy, conflict, ledger_damaged
 */
export async function seal(engine: SealedEngine, sealing: Sealing): Promise<Seal> {
  const { ledger_id, sign } = sealing
  const origin = originOf(ledger_id)
  const last = await engine.read(() => lastSeal(ledger_id))
  const until = await finalSeq(engine, sealing.waitMs)
  const start = last === null ? { tree: EMPTY, seq: 0 } : startOf(last)
  let { tree, seq } = start
  const added: number[] = []
  for (;;) {
    const from = seq
    const page = (await engine.read(() => eventOrder(from, PAGE))).filter(one => one.seq <= until)
    const end = page.at(-1)
    if (end === undefined) break
    for (const one of page) {
      tree = grown(tree, one.hash)
      if (added.length < 2) added.push(one.seq)
    }
    seq = end.seq
  }
  const before = start.tree.size
  if (last !== null && added.every(one => one === last.seq)) {
    const same = { origin, size: before, root: rootOf(start.tree) }
    return { ...same, note: sign(same), isNew: false, before }
  }
  const checkpoint = { origin, size: tree.size, root: rootOf(tree) }
  const note = sign(checkpoint)
  await engine.write(() => append(sealing, { last, tree, until_seq: seq, note }))
  return { ...checkpoint, note, isNew: true, before }
}

/** @throws LedgerError ledger_damaged where the last seal contradicts itself */
function startOf({ n, said }: SealEvent): { readonly tree: Tree; readonly seq: number } {
  const tree = { size: said.size, subtrees: said.subtrees.map(one => Buffer.from(one, 'base64')) }
  if (isTree(tree) && rootOf(tree).toString('base64') === said.root) return { tree, seq: said.until_seq }
  throw new LedgerError('ledger_damaged', `the last seal (event ${n} of the ledger) contradicts itself`, {
    hint: 'It was changed. Hold the ledger against the anchors: agent-ledger verify --anchors <file>',
  })
}

interface Appending {
  readonly last: SealEvent | null
  readonly tree: Tree
  readonly until_seq: number
  readonly note: string
}

function* append(
  { ledger_id, actor, clock }: Sealing,
  { last, tree, until_seq, note }: Appending,
): Sql<void> {
  const body = {
    size: tree.size,
    until_seq,
    root: rootOf(tree).toString('base64'),
    subtrees: tree.subtrees.map(one => one.toString('base64')),
    note,
  }
  // Of two that seal at once the later one meets the other's seal.
  yield* lock({ kind: 'ledger', name: ledger_id })
  const there = yield* lastSeal(ledger_id)
  if (there?.n === last?.n) {
    const { stamp } = yield* timeOfCommit(clock)
    yield* appendLedgerEvent({ ledger_id, stamp }, { about: ledger_id, type: 'seal', actor, body })
    return
  }
  throw new LedgerError('conflict', 'another process sealed the ledger meanwhile', {
    hint: 'Run it again: it goes on from that seal.',
  })
}

/** The number of an event before which none can come any more. */
async function finalSeq(engine: SealedEngine, waitMs: number): Promise<number> {
  const until = await engine.read(lastEventSeq)
  // One commit at a time: whoever is second gets the higher number.
  if (engine.kind === 'sqlite') return until
  let left = new Set(await engine.read(writersUnderWay))
  for (let waited = 0; left.size > 0; waited += LOOK_MS) {
    if (waited >= waitMs)
      throw new LedgerError(
        'busy',
        `${left.size} transactions that write the ledger have not ended: what they add may come before what was seen`,
        { hint: 'Wait for them, or end them (pg_stat_activity), and seal again. Nothing was written.' },
      )
    await wait(LOOK_MS)
    const now = new Set(await engine.read(writersUnderWay))
    left = new Set([...left].filter(one => now.has(one)))
  }
  return until
}

const LOOK_MS = 20
