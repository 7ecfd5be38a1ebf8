import { sha256 } from '../../core/digest.js'
import type { Engine } from '../engine.js'
import type { Redaction, RedactionBody } from '../redaction.js'
import { lastFromPostgres } from '../sql-store/arrivals.js'
import { AT_THE_SAME_TIME_MS } from '../sql-store/log.js'
import type { Meta } from '../sql-store/meta.js'
import { eventOrder } from '../sql-store/seals.js'
import { ledgerEvents, noteIdsAfter, orphans, storedNote } from '../sql-store/verify-reads.js'
import type { Finding } from './finding.js'
import { checkLinks, checkPlaces, type EventLink, type StoredLink } from './links.js'
import { differing } from './operation.js'
import { checkPhases, rememberPhase } from './phases.js'
import { checkPruned, type PrunedBatch } from './pruned.js'
import { type Anchors, type SealsChecked, sealWatch } from './seals.js'

const PAGE = 5_000

export interface LedgerToCheck {
  readonly most: number
  readonly isFromPostgres: boolean
  readonly anchors: Anchors | null
}

export interface LedgerChecked {
  readonly findings: Finding[]
  readonly events: number
  /** what was archived: here stands what must stay of it */
  readonly archived: { readonly operations: number; readonly events: number }
  readonly seals: SealsChecked
  /** bodies that were blanked, on record */
  readonly redacted: readonly RedactedOperation[]
}

/** What concerns the ledger as a whole: its own chain, the notes it names, the order of all events, rows gone. */
export async function checkLedger(
  engine: Engine,
  meta: Meta,
  { most, isFromPostgres, anchors }: LedgerToCheck,
): Promise<LedgerChecked> {
  const { ledger_id } = meta
  const own = await checkOwnChain(engine, meta)
  const order = await checkOrder(engine, ledger_id, { isFromPostgres, anchors })
  const gone = await engine.read(() => orphans(ledger_id, most))
  const findings = [
    ...own.findings,
    ...order.findings,
    ...own.archived.findings,
    ...gone.map(
      ({ subject, id }): Finding => ({
        rule: 'row_missing',
        subject,
        id,
        n: null,
        message: `there are events or evidence of ${subject} ${id}, but no row`,
      }),
    ),
  ]
  const { events, archived, seals } = order
  return {
    findings,
    events,
    archived: { operations: own.archived.operations, events: archived },
    seals,
    redacted: own.redacted,
  }
}

async function checkOwnChain(engine: Engine, meta: Meta) {
  const { ledger_id } = meta
  const of = { subject: 'ledger', id: ledger_id } as const
  const findings: Finding[] = []
  const named = new Set<number>()
  const phases = new Map<string, string>()
  const batches: PrunedBatch[] = []
  const redacted: RedactedOperation[] = []
  let said: Partial<Meta> = {}
  let prev: Buffer | null = null
  let place = 0
  for (let first = 1; ; ) {
    const links = await engine.read(() => ledgerEvents(ledger_id, first - 1, PAGE))
    const last = links.at(-1)
    if (last === undefined) break
    const chain = { ledger_id, subject: 'ledger', subject_id: ledger_id, links, prev, first } as const
    const wrong = checkLinks(chain, { changed: 'event_changed', missing: 'event_missing', of })
    findings.push(...wrong, ...checkPlaces(links, of, place))
    for (const link of links) {
      said = { ...said, ...saidOfMeta(link) }
      const isSound = !wrong.some(({ n }) => n === link.n)
      if (link.type === 'phase' && isSound) rememberPhase(link, phases)
      if (link.type === 'prune' && isSound) batches.push({ n: link.n, said: JSON.parse(link.body) })
      if (link.type === 'redact' && isSound) redacted.push(redactedBy(link))
      if (link.type === 'note' && isSound) findings.push(...(await checkNote(engine, link, named)))
    }
    prev = last.hash
    place = last.seq
    first = last.n + 1
  }
  if (findings.length === 0) findings.push(...checkMeta(meta, said))
  return {
    findings: [
      ...findings,
      ...(await notesNobodyNamed(engine, named)),
      ...(await checkPhases(engine, phases, PAGE)),
    ],
    archived: await checkPruned(engine, ledger_id, batches),
    redacted,
  }
}

/** One redaction: whose bodies, which, by whom and why. */
export interface RedactedOperation extends Redaction {
  readonly operation_id: string
}

function redactedBy({ at, actor, event, body }: EventLink): RedactedOperation {
  const said: RedactionBody = JSON.parse(body)
  return { operation_id: event.about ?? '', at, actor, reason: said.reason, parts: said.parts }
}

/** What an event of the ledger says about it; nothing from a body that was made unreadable. */
function saidOfMeta({ type, at, actor, body }: StoredLink): Partial<Meta> {
  if (type !== 'created' && type !== 'incarnation' && type !== 'arrived') return {}
  try {
    const { incarnation, home }: Pick<Meta, 'incarnation' | 'home'> = JSON.parse(body)
    return { incarnation, home, ...(type === 'created' ? { created_at: at, created_by: actor } : {}) }
  } catch {
    return {}
  }
}

function checkMeta(meta: Meta, said: Partial<Meta>): Finding[] {
  const names = differing(meta, { ...said, ledger_id: meta.ledger_id, moved: meta.moved }, new Set())
  if (names.length === 0) return []
  const message = `${names.join(', ')} not as the ledger's own chain says`
  return [{ rule: 'meta_differs', subject: 'ledger', id: meta.ledger_id, n: null, message }]
}

interface NamedNote {
  readonly note_id: number
  readonly task_id: string
  readonly operation_id: string | null
  readonly kind: string
  readonly note_digest: string
}

async function checkNote(engine: Engine, link: StoredLink, named: Set<number>): Promise<Finding[]> {
  const said: NamedNote = JSON.parse(link.body)
  named.add(said.note_id)
  const of = { subject: 'note', id: String(said.note_id), n: link.n } as const
  const note = await engine.read(() => storedNote(said.note_id))
  if (note === null)
    return [{ ...of, rule: 'note_missing', message: `note ${said.note_id} of ${said.task_id}` }]
  const isSame =
    sha256(note.body) === said.note_digest &&
    note.task_id === said.task_id &&
    note.operation_id === said.operation_id &&
    note.kind === said.kind &&
    note.at === link.at &&
    note.actor === link.actor
  return isSame ? [] : [{ ...of, rule: 'note_changed', message: `note ${said.note_id} of ${said.task_id}` }]
}

async function notesNobodyNamed(engine: Engine, named: ReadonlySet<number>): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after = 0; ; ) {
    const ids = await engine.read(() => noteIdsAfter(after, PAGE))
    const last = ids.at(-1)
    if (last === undefined) return findings
    for (const id of ids.filter(each => !named.has(each)))
      findings.push({ rule: 'note_extra', subject: 'note', id: String(id), n: null, message: `note ${id}` })
    after = last
  }
}

/** SQLite gives out numbers without a gap, rolled back work included; PostgreSQL's sequences do not. */
async function checkOrder(
  engine: Engine,
  ledger_id: string,
  { isFromPostgres, anchors }: Pick<LedgerToCheck, 'isFromPostgres' | 'anchors'>,
) {
  const of = { subject: 'ledger', id: ledger_id } as const
  const findings: Finding[] = []
  // Commits of PostgreSQL run at the same time: their events need not lie in the order of their times.
  // What was moved here from there lies as it was written there.
  const isFile = engine.kind === 'sqlite' && !isFromPostgres
  const until = isFile ? await engine.read(lastFromPostgres) : Number.POSITIVE_INFINITY
  const watch = await sealWatch(engine, ledger_id, anchors)
  let events = 0
  let archived = 0
  let before = { seq: 0, at: Number.NEGATIVE_INFINITY }
  for (;;) {
    const page = await engine.read(() => eventOrder(before.seq, PAGE))
    if (page.length === 0) {
      const { findings: unsealed, checked: seals } = watch.end()
      return { findings: [...findings, ...unsealed], events, archived, seals }
    }
    for (const placed of page) {
      watch.add(placed.hash)
      if (placed.at === null) archived++
      else events++
      const isLoose = placed.seq <= until
      const slack = isLoose ? AT_THE_SAME_TIME_MS : 0
      const isGap = !isLoose && placed.seq !== before.seq + 1
      if (isGap)
        findings.push({
          ...of,
          rule: 'events_gap',
          n: null,
          message: `of all events, numbers ${before.seq + 1} to ${placed.seq - 1} are missing`,
        })
      if (placed.at !== null && placed.at < before.at - slack)
        findings.push({
          ...of,
          rule: 'time_runs_back',
          n: null,
          message: `event ${placed.seq} of all events`,
        })
      before = { seq: placed.seq, at: Math.max(placed.at ?? before.at, before.at) }
    }
  }
}
