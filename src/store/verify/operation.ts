import type { Approval } from '../../core/approval.js'
import type { Attempt } from '../../core/attempt.js'
import { contractDigest, digestOf, sha256 } from '../../core/digest.js'
import type { ExternalId, Operation } from '../../core/operation.js'
import { evolve, unwritten } from '../../core/transitions/evolve.js'
import type { State } from '../../core/transitions/requests.js'
import { blankedOf, type Redaction } from '../redaction.js'
import { intentDigest, restoredBody, type StoredBody } from '../stored-body.js'
import { type ApprovalEvent, wrongApprovals } from './approvals.js'
import type { Finding, FindingRule } from './finding.js'
import { checkLinks, checkPlaces, type EventLink, type StoredLink } from './links.js'

/** All that is stored of one operation, read in one snapshot. */
export interface OperationBundle {
  readonly operation: Operation
  /** the text of the column `input` */
  readonly input: string
  readonly evidence_head: Buffer | null
  readonly attempts: readonly Attempt[]
  readonly events: readonly EventLink[]
  readonly evidence: readonly StoredLink[]
  readonly external_ids: readonly ExternalId[]
  /** ids that came with evidence alone, named in the ledger's own chain */
  readonly added_ids: readonly ExternalId[]
  readonly approvals: readonly Approval[]
  /** of the leave to send it, in the ledger's own chain */
  readonly approval_events: readonly ApprovalEvent[]
  /** evidence that concluded nothing, named in the ledger's own chain */
  readonly added_evidence: readonly { readonly n: number; readonly hash: string }[]
  /** what of it was blanked, by the ledger's own chain */
  readonly redactions: readonly Redaction[]
  /** until when it was deferred, by the ledger's own chain; undefined where that cannot be read */
  readonly deferred_until: number | null | undefined
  /** the column `incarnation` */
  readonly incarnation: number
  /** the same by its events; null where they do not say */
  readonly ready_in: number | null
}

/** Recomputes one operation from its events and compares. Pure. */
export function checkOperation(ledger_id: string, bundle: OperationBundle): Finding[] {
  const { operation, events } = bundle
  const of = { subject: 'operation', id: operation.operation_id } as const
  const found = (rule: FindingRule, message: string, n: number | null = null): Finding => ({
    ...of,
    rule,
    n,
    message,
  })
  const findings = [
    ...checkLinks(
      {
        ledger_id,
        subject: 'operation',
        subject_id: of.id,
        links: events,
        blanked: blankedOf(bundle.redactions, 'event'),
      },
      { changed: 'event_changed', missing: 'event_missing', of },
    ),
    ...checkPlaces(events, of),
    ...checkEvidence(ledger_id, bundle, found),
  ]
  const last = events.at(-1)?.n ?? 0
  if (last < operation.version)
    findings.push(found('event_missing', `${last} events, the row counts ${operation.version}`, last + 1))
  if (last > operation.version)
    findings.push(
      found('event_extra', `${last} events, the row counts ${operation.version}`, operation.version + 1),
    )
  // A chain that is broken says nothing more about the row than that.
  if (findings.some(({ rule }) => rule.startsWith('event_'))) return findings
  return [...findings, ...checkReplay(bundle, found)]
}

export type Found = (rule: FindingRule, message: string, n?: number | null) => Finding

function checkEvidence(ledger_id: string, bundle: OperationBundle, found: Found): Finding[] {
  const { operation, evidence, evidence_head } = bundle
  const of = { subject: 'operation', id: operation.operation_id } as const
  const findings = checkLinks(
    {
      ledger_id,
      subject: 'evidence',
      subject_id: operation.operation_id,
      links: evidence,
      blanked: blankedOf(bundle.redactions, 'evidence'),
    },
    { changed: 'evidence_changed', missing: 'evidence_missing', of },
  )
  const last = evidence.at(-1)
  const counted = operation.evidence_count
  const there = last?.n ?? 0
  if (there < counted)
    findings.push(found('evidence_missing', `${there} there, the row counts ${counted}`, there + 1))
  if (there > counted)
    findings.push(found('evidence_extra', `${there} there, the row counts ${counted}`, counted + 1))
  if (there === counted && last !== undefined && evidence_head?.equals(last.hash) !== true)
    findings.push(
      found('evidence_changed', 'the last evidence is not the one whose hash the row keeps', there),
    )
  return findings
}

/** The state that the events of an operation lead to; null where there are none. Pure. */
export function replayed(
  operation: Operation,
  events: readonly EventLink[],
  onEvent: (event: EventLink, stored: StoredBody) => void = () => undefined,
): State | null {
  let state: State | null = null
  for (const link of events) {
    const { at, event, body } = link
    const { boot_id, boot_ms } = event
    const stored: StoredBody = JSON.parse(body)
    const before: Operation = state?.operation ?? unwritten(operation.operation_id, at)
    const whole = restoredBody(stored, { before, row: operation, stamp: { at, boot_id, boot_ms } })
    const { input, repeat, contract } = operation
    const large = stored.from === null ? { input, repeat, contract } : {}
    state = evolve(state, { operation_id: operation.operation_id, at, body: whole, large })
    onEvent(link, stored)
  }
  return state
}

function checkReplay(bundle: OperationBundle, found: Found): Finding[] {
  const { operation } = bundle
  const findings: Finding[] = []
  const ids: ExternalId[] = [...bundle.added_ids]
  const taken: string[] = []
  let result: string | null = null
  const state = replayed(operation, bundle.events, ({ n }, stored) => {
    if (
      stored.intent !== undefined &&
      stored.intent !== intentDigest(operation, bundle.input, inputDigest(bundle))
    )
      findings.push(found('intent_differs', 'the row does not have the intent that the first event names', n))
    result = stored.stored_result ?? stored.set?.result_digest ?? result
    ids.push(...(stored.external_ids ?? []))
    if (typeof stored.set?.approval_id === 'string') taken.push(stored.set.approval_id)
    findings.push(...checkCited(bundle, { n, stored }, found))
  })
  if (state === null) return findings
  findings.push(...checkAdded(bundle, found))
  findings.push(...checkRow(operation, state.operation, found))
  findings.push(...checkBeside(bundle, found))
  findings.push(...checkAttempts(bundle.attempts, state.attempts, found))
  findings.push(...checkIds(bundle.external_ids, ids, found))
  const { operation_id } = operation
  const leave = { operation_id, approvals: bundle.approvals, told: bundle.approval_events, taken }
  findings.push(...wrongApprovals(leave).map(message => found('approvals_differ', message)))
  if (operation.result !== null && digestOf(operation.result) !== result)
    findings.push(
      found('result_differs', `the result in the row is not the one with ${result ?? 'any'} digest recorded`),
    )
  if (operation.contract_digest !== contractDigest(operation.effect, operation.repeat, operation.contract))
    findings.push(
      found('intent_differs', 'effect, repeat and contract do not fit the digest of the contract'),
    )
  return findings
}

/** The digest of the input as it was written, also where it was blanked since. */
function inputDigest({ input, redactions }: OperationBundle): string {
  const digest = sha256(input)
  const was = blankedOf(redactions, 'input').get(0)
  return was?.left === digest ? was.digest : digest
}

function checkAdded({ evidence, added_evidence }: OperationBundle, found: Found): Finding[] {
  return added_evidence.flatMap(named => {
    const there = evidence.find(({ n }) => n === named.n)
    const isSame = there !== undefined && `sha256:${there.hash.toString('hex')}` === named.hash
    return isSame
      ? []
      : [found('evidence_not_as_cited', `the ledger's own chain names evidence ${named.n}`, named.n)]
  })
}

function checkCited(
  { evidence }: OperationBundle,
  { n, stored }: { readonly n: number; readonly stored: StoredBody },
  found: Found,
): Finding[] {
  return (stored.evidence ?? []).flatMap(cited => {
    const there = evidence.find(each => each.n === cited.n)
    const isSame = there !== undefined && `sha256:${there.hash.toString('hex')}` === cited.hash
    return isSame ? [] : [found('evidence_not_as_cited', `event ${n} rests on evidence ${cited.n}`, n)]
  })
}

/** Columns outside the chain: signals, the lease as renewed, what a person set beside it; and those checked by digest. */
const NOT_REPLAYED: ReadonlySet<string> = new Set<keyof Operation>([
  'input',
  'repeat',
  'contract',
  'result',
  'evidence_count',
  'heartbeat_at',
  'activity_at',
  'progress_at',
  'progress',
  'lease_expires_at',
  'lease_boot_id',
  'lease_boot_ms',
  'defer_until',
  'next_look_at',
])

function checkRow(row: Operation, replayed: Operation, found: Found): Finding[] {
  const names = differing(row, replayed, NOT_REPLAYED)
  if (names.length === 0) return []
  const shown = names.map(name => `${name} is ${jsonOf(row, name)}, by its events ${jsonOf(replayed, name)}`)
  return [found('row_differs', shown.join('; '))]
}

/** Columns outside the operation's own chain, of which other events say what they must be. */
function checkBeside({ operation, deferred_until, incarnation, ready_in }: OperationBundle, found: Found) {
  const wrong = [
    ...(deferred_until !== undefined && operation.defer_until !== deferred_until
      ? [`defer_until is ${operation.defer_until}, by the ledger's events ${deferred_until}`]
      : []),
    ...(ready_in !== null && incarnation !== ready_in
      ? [`incarnation is ${incarnation}, by the ledger's events ${ready_in}`]
      : []),
  ]
  return wrong.length === 0 ? [] : [found('row_differs', wrong.join('; '))]
}

const SIGNALS: ReadonlySet<string> = new Set<keyof Attempt>([
  'heartbeat_at',
  'activity_at',
  'progress_at',
  'progress',
])

function checkAttempts(there: readonly Attempt[], replayed: readonly Attempt[], found: Found): Finding[] {
  const numbers = new Set([...there, ...replayed].map(({ n }) => n))
  return [...numbers].flatMap(n => {
    const [a, b] = [there.find(each => each.n === n), replayed.find(each => each.n === n)]
    if (a === undefined) return [found('attempts_differ', `attempt ${n} is missing`)]
    if (b === undefined) return [found('attempts_differ', `attempt ${n} was never announced`)]
    const names = differing(a, b, SIGNALS)
    return names.length === 0 ? [] : [found('attempts_differ', `attempt ${n}: ${names.join(', ')}`)]
  })
}

function checkIds(there: readonly ExternalId[], named: readonly ExternalId[], found: Found): Finding[] {
  const keys = (ids: readonly ExternalId[]) => new Set(ids.map(idKey))
  const [inTable, inEvents] = [keys(there), keys(named)]
  const links = new Set(named.map(linkKey))
  return [
    // a person follows it to see whether it happened
    ...there
      .filter(id => id.url !== undefined && inEvents.has(idKey(id)) && !links.has(linkKey(id)))
      .map(id => found('external_ids_differ', `no event came with this link of ${id.kind} ${id.value}`)),
    ...there
      .filter(id => !inEvents.has(idKey(id)))
      .map(id => found('external_ids_differ', `no event came with ${id.kind} ${id.value}`)),
    ...named
      .filter(id => !inTable.has(idKey(id)))
      .map(id => found('external_ids_differ', `${id.kind} ${id.value} is missing`)),
  ]
}

function idKey({ kind, value, scope }: ExternalId): string {
  return JSON.stringify([kind, value, scope ?? ''])
}

function linkKey(id: ExternalId): string {
  return JSON.stringify([idKey(id), id.url ?? null])
}

/** Names of the fields in which two records differ. */
export function differing(a: object, b: object, but: ReadonlySet<string>): string[] {
  const textOf = (record: object, name: string) => digestOf(Reflect.get(record, name) ?? null)
  return Object.keys(a).filter(name => !but.has(name) && textOf(a, name) !== textOf(b, name))
}

function jsonOf(record: object, name: string): string {
  return JSON.stringify(Reflect.get(record, name))
}
