import type { Evidence, NewEvidence } from '../../core/evidence.js'
import { bytesOrNull, number } from '../cells.js'
import { linkHash, shown } from '../chain.js'
import { type Query, query, type Sql } from '../engine.js'
import { evidenceOf } from '../rows.js'
import type { Writing } from './events.js'

/** The end of an operation's evidence chain, as its row keeps it so that a cut tail is found. */
export interface EvidenceHead {
  readonly count: number
  readonly head: Buffer | null
}

export interface EvidenceToAppend {
  readonly operation_id: string
  readonly actor: string
  readonly evidence: readonly NewEvidence[]
  readonly after: EvidenceHead
}

/** Evidence with its place in the operation's chain, not yet written. Pure. */
export function chainEvidence(
  { ledger_id, stamp }: Writing,
  { operation_id, actor, evidence, after }: EvidenceToAppend,
): { readonly evidence: readonly ChainedEvidence[]; readonly end: EvidenceHead } {
  const chained: ChainedEvidence[] = []
  let { count, head } = after
  for (const { kind, origin, attempt, body } of evidence) {
    const n = count + 1
    const text = JSON.stringify(body)
    const link = {
      ledger_id,
      subject: 'evidence',
      subject_id: operation_id,
      n,
      type: evidenceType(kind, origin, attempt),
      at: stamp.at,
      actor,
      body: text,
      prev: head,
    } as const
    head = linkHash(link)
    count = n
    const chain = { text, hash: head }
    chained.push({
      operation_id,
      n,
      kind,
      origin,
      attempt,
      body,
      at: stamp.at,
      actor,
      hash: shown(head),
      chain,
    })
  }
  return { evidence: chained, end: { count, head } }
}

export interface ChainedEvidence extends Evidence {
  readonly chain: {
    readonly text: string
    readonly hash: Buffer
  }
}

/** The queries that write it; the new end of the chain goes into the operation's row. */
export function evidenceInsertions(evidence: readonly ChainedEvidence[]): Query[] {
  return evidence.map(({ operation_id, n, kind, origin, attempt, at, actor, chain }) => ({
    text: INSERT,
    params: [operation_id, n, kind, origin, attempt, at, actor, chain.text, chain.hash],
  }))
}

/** The record without what only the chain needs. */
export function recordOfEvidence({ chain: _, ...record }: ChainedEvidence): Evidence {
  return record
}

/** What the hash covers as the type of an evidence: what it is, how it came, and which attempt it is about. */
export function evidenceType(kind: string, origin: string, attempt: number | null): string {
  return `${kind}/${origin}/${attempt ?? ''}`
}

const INSERT = `
insert into ledger_evidence (
  operation_id, n, kind, origin, attempt, at, actor, body, hash
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

export function* evidenceHead(operation_id: string): Sql<EvidenceHead | null> {
  const [row] = yield* query(
    `select evidence_count, evidence_head
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  return row ? { count: number(row, 'evidence_count'), head: bytesOrNull(row, 'evidence_head') } : null
}

export function* evidenceOfOperation(operation_id: string): Sql<Evidence[]> {
  const rows = yield* query(
    `select operation_id, n, kind, origin, attempt, body, at, actor, hash
     from ledger_evidence
     where operation_id = $1
     order by n`,
    [operation_id],
  )
  return rows.map(evidenceOf)
}
