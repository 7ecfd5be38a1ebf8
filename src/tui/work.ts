import { actorName } from '../core/actor.js'
import type { ActionItem, ShowDocument } from '../core/documents/show.js'
import { formatAge } from '../core/duration.js'
import { isLedgerError } from '../core/errors.js'
import { type Safe, safe, words } from '../core/safe-text.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import { reportPage } from '../report/page/report-page.js'
import { eventEntry, showPage } from '../report/page/show-page.js'
import { ACTIONS } from './actions.js'
import type { Looked, Ticked } from './event.js'
import { block, pageBlocks } from './page-blocks.js'
import { type One, type Row, rowOf } from './row.js'
import {
  type Block,
  type Choice,
  type Count,
  type Detail,
  FIRST_ROWS,
  type RowChange,
  type State,
  type Summary,
  type Tab,
} from './state.js'
import type { World } from './world.js'

type AskedList = State['asked']

/** Rows after which whatever waits gets its turn. */
const BREATH = 250

/** Reads a list as far as it was asked for; of rows that are known already nothing is made. */
export async function look(world: World, asked: AskedList, known: ReadonlySet<string> = NONE): Promise<Seen> {
  return world.withLedgerForReading(ledger => seenIn(world, ledger, { ...asked, known }))
}

type Seen = Omit<Looked, 'turn' | 'isMore' | 'limit'>

/** The first list, and the ledger it is of. @throws LedgerError where there is none */
export async function firstLook(world: World, asked: AskedList): Promise<Seen & { readonly ledger: Safe }> {
  return world.withLedgerForReading(async ledger => ({
    ...(await seenIn(world, ledger, { ...asked, known: NONE })),
    ledger: world.show(ledger.location, { max: 200 }),
  }))
}

async function seenIn(world: World, ledger: LedgerForReading, asked: Known): Promise<Seen> {
  const read = await rowsOf(world, ledger, asked)
  const { rows, hasMore } = read
  return { rows, hasMore, summary: await summaryOf(ledger, { ...read, asked, isWhole: false }) }
}

/** A list, and the ids of it that are known already. */
type Known = AskedList & { readonly known: ReadonlySet<string> }

const NONE: ReadonlySet<string> = new Set()

interface Read {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  /** of all that were read, the known ones too */
  readonly count: number
  readonly stalled: number
  /** age of the oldest in doubt among them, milliseconds; null: none of them is */
  readonly oldestMs: number | null
}

async function rowsOf(
  world: World,
  ledger: LedgerForReading,
  { scope, sort, limit, known }: Known,
): Promise<Read> {
  const rows: Row[] = []
  const one = oneOfEach()
  let count = 0
  let stalled = 0
  let oldestMs: number | null = null
  for await (const listed of ledger.listing({ show: scope, sort }).rows) {
    if (count === limit) return { rows, hasMore: true, count, stalled, oldestMs }
    count++
    if (listed.stalled_by.length > 0) stalled++
    if (listed.in_doubt) oldestMs = Math.max(oldestMs ?? 0, listed.age_ms)
    if (!known.has(listed.operation_id)) rows.push(rowOf(listed, world.show, one))
    if (count % BREATH === 0 && limit > FIRST_ROWS) await world.breathe()
  }
  return { rows, hasMore: false, count, stalled, oldestMs }
}

/** The same string for the same text: tools, tasks and reasons repeat, and many rows are kept. */
function oneOfEach(): One {
  const known = new Map<string, string>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before as typeof text
    known.set(text, text)
    return text
  }
}

interface Summed extends Read {
  readonly asked: AskedList
  /** the whole status may be asked for: what is open is little */
  readonly isWhole: boolean
}

/** Further than this nobody counts on one screen; at a million a count takes as long as all else before the first frame. */
const MOST_COUNTED = 10_000

// Counts that stop, and first rows: the same at any size of the ledger.
async function summaryOf(
  ledger: LedgerForReading,
  { asked, count, stalled, hasMore, isWhole, oldestMs }: Summed,
): Promise<Summary> {
  const riskiest = await ledger.list({ show: 'unknown', sort: 'risk', limit: 1, countUpTo: MOST_COUNTED - 1 })
  const inDoubt = countOf(riskiest)
  const status = isWhole && !hasMore ? await ledger.status() : null
  const last = status?.last_event_at ?? null
  return {
    inDoubt,
    total: hasMore ? await totalOf(ledger, asked, count) : null,
    oldest: await oldestOf(ledger, inDoubt, oldestMs),
    risk: riskiest.operations[0] === undefined ? null : safe(riskiest.operations[0].risk),
    stalled: { count: stalled, isLeast: hasMore },
    isSilent: status?.is_silent ?? false,
    lastEntry: last === null ? null : safe(last.replace('T', ' ').slice(0, 16)),
  }
}

/** The first by age is found by comparing all: where nobody counts any more, the rows that were read tell how old it is at least. */
async function oldestOf(
  ledger: LedgerForReading,
  inDoubt: Count,
  readMs: number | null,
): Promise<Safe | null> {
  if (inDoubt.isLeast) return readMs === null ? null : words`${safe(formatAge(readMs))}+`
  const { operations } = await ledger.list({ show: 'unknown', sort: 'age', limit: 1, countUpTo: 0 })
  const [first] = operations
  return first === undefined ? null : safe(formatAge(first.age_ms))
}

function countOf({
  operations,
  left_out,
  left_out_is_least,
}: Awaited<ReturnType<LedgerForReading['list']>>): Count {
  return { count: operations.length + left_out, isLeast: left_out_is_least === true }
}

async function totalOf(ledger: LedgerForReading, { scope }: AskedList, read: number): Promise<Count> {
  // These two look at each row before they know whether it belongs to them.
  if (scope === 'attention' || scope === 'stalled') return { count: read, isLeast: true }
  return countOf(await ledger.list({ show: scope, limit: 1, countUpTo: Math.max(read, MOST_COUNTED) - 1 }))
}

/** Where the ticks of one list stand. */
export interface Tail {
  /** when the list was made, milliseconds since 1970 */
  readonly since: number
  readonly afterSeq: number
  /** ticks since the rows were last compared */
  readonly idle: number
}

/** Leases run out without an entry: the rows are compared now and then even when nobody writes. */
const COMPARE_EVERY = 10
const MOST_EVENTS = 5_000

/** What became of a list that is on the screen; null where nothing did. */
export async function tick(
  world: World,
  asked: AskedList,
  tail: Tail,
): Promise<{ readonly ticked: Omit<Ticked, 'turn'> | null; readonly tail: Tail }> {
  return world.withLedgerForReading(async ledger => {
    const { changes, touched, afterSeq, count } = await changesSince(world, ledger, tail)
    if (count === 0 && tail.idle % COMPARE_EVERY !== 0)
      return { ticked: null, tail: { ...tail, idle: tail.idle + 1 } }
    const first = { ...asked, limit: Math.min(asked.limit, FIRST_ROWS), known: NONE }
    const read = await rowsOf(world, ledger, first)
    const summary = await summaryOf(ledger, { ...read, asked, isWhole: true })
    return { ticked: { page: read.rows, changes, touched, summary }, tail: { ...tail, afterSeq, idle: 1 } }
  })
}

async function changesSince({ show }: World, ledger: LedgerForReading, { since, afterSeq }: Tail) {
  const changes = new Map<string, RowChange>()
  const touched = new Set<string>()
  let seq = afterSeq
  let count = 0
  for await (const event of ledger.log(seq === 0 ? { since } : { afterSeq: seq })) {
    const { subject, subject_id, to, n, actor } = event
    seq = event.seq
    count++
    touched.add(subject_id)
    if (subject === 'operation' && to !== null)
      changes.set(subject_id, { status: to, version: n, by: show(actorName(actor), { max: 40 }) })
    if (count >= MOST_EVENTS) break
  }
  return { changes, touched, afterSeq: seq, count }
}

/** Reads what the pane beside the list shows. */
export async function detailOf(world: World, id: string, tab: Tab): Promise<Detail> {
  return world.withLedgerForReading(async ledger => {
    const { document } = await ledger.show(id)
    return {
      id,
      tab,
      version: document.version,
      blocks: await blocksOf(world, ledger, { document, tab }),
      actions: choicesOf(document, world),
    }
  })
}

async function blocksOf(
  { style }: World,
  ledger: LedgerForReading,
  { document, tab }: { readonly document: ShowDocument; readonly tab: Tab },
): Promise<readonly Block[]> {
  switch (tab) {
    case 'operation':
      return pageBlocks(showPage(document), style())
    case 'task':
      return pageBlocks(reportPage((await ledger.report(document.task.task_id)).document), style())
    case 'history': {
      const entries = document.history.map(eventEntry)
      const title = words`History, oldest first`
      return [
        block(title, 'title'),
        ...pageBlocks({ title: [], sections: [{ heading: '', entries }] }, style()).slice(3),
      ]
    }
  }
}

/** What can be done with an operation, and why not. */
export async function choices(world: World, id: string): Promise<readonly Choice[]> {
  return world.withLedgerForReading(async ledger => choicesOf((await ledger.show(id)).document, world))
}

function choicesOf({ actions, claimed_by }: ShowDocument, { show }: World): Choice[] {
  const known = new Map(actions.map(item => [item.action, item]))
  return ACTIONS.flatMap(({ id, title }) => {
    const item = known.get(id)
    if (item === undefined) {
      if (id === 'reconcile') return [{ action: id, title: safe(title), isAllowed: true, why: null }]
      if (id !== 'release') return []
      const why = claimed_by === null ? words`nobody claims it; there is nothing to be ended` : null
      return [{ action: id, title: safe(title), isAllowed: why === null, why }]
    }
    return [
      {
        action: id,
        title: titleOf(item, show),
        isAllowed: item.allowed || item.command !== null,
        why: whyNot(item, show),
      },
    ]
  }).sort((a, b) => Number(b.isAllowed) - Number(a.isAllowed))
}

function titleOf({ title, to, note }: ActionItem, show: World['show']): Safe {
  const where = to === null ? words`` : words`→ ${safe(to)}: `
  return words`${where}${show(title)}${note === null ? words`` : words` (${show(note)})`}`
}

function whyNot({ refusal }: ActionItem, show: World['show']): Safe | null {
  return refusal === null ? null : show(`${refusal.reason}; ${refusal.satisfy}`)
}

/** What went wrong, as one line, and what to do about it. */
export function troubleWords(error: unknown, show: World['show']): Safe {
  if (isLedgerError(error)) return show(`${error.message}. ${error.hint}`, { max: 400 })
  throw error
}
