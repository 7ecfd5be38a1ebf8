import { externalIdItem, isoOrNull } from '../../core/documents/parts.js'
import type { ReconcileBody } from '../../core/documents/reconcile.js'
import { isInDoubt } from '../../core/in-doubt.js'
import type { JsonObject } from '../../core/json.js'
import type { Match, Seen } from '../../core/observation.js'
import { type ExternalId, isSettled, type Operation } from '../../core/operation.js'
import { judge, type Verdict } from '../../core/verdict.js'
import { look } from '../../execute/look.js'
import { askProbe } from '../../probes/index.js'
import type { OperationRecord } from '../../store/store.js'
import type { Session } from '../session.js'
import { evidenceOf, seenIn } from './evidence.js'
import { body, type Idle, planOf, recordOf, wouldAsk } from './plan.js'
import { writeVerdict } from './write.js'

export interface AskingOptions {
  /** ask although a look says nothing new before its time */
  readonly early: boolean
  /** nothing is sent and nothing is written */
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/**
 * Asks about one operation and writes down what that says. Null: told to stop before it was over, and nothing of it is
 * written. @throws LedgerError not_found, or the ledger's own failure
 */
export async function reconcileOne(
  session: Session,
  operation_id: string,
  { early, dryRun, signal }: AskingOptions,
): Promise<ReconcileBody | null> {
  if (dryRun) return wouldAsk(session, operation_id, { early, signal })
  const record = await standingStill(session, operation_id)
  const { operation } = record
  const plan = planOf(session, record, { early, signal })
  if ('outcome' in plan) return body(operation, plan)
  const { probes, facts, world, requests } = plan
  const seen = { seen_attempts: operation.attempt, seen_version: operation.version }
  const { settle_ms: settleMs, keeps_ms: keepsMs } = operation.contract
  const latest: Seen[] = []
  for (const probe of probes)
    latest.push({ ...(await askProbe(probe, { facts, world, settleMs, keepsMs })), ...seen })
  // Whoever stopped us broke off what was being asked: that is no word of the service.
  if (signal.aborted) return null
  return concluded(session, record, { latest, requests })
}

async function standingStill(session: Session, operation_id: string): Promise<OperationRecord> {
  const { clock, isOwnerGone } = session
  const record = await recordOf(session, operation_id)
  const isOrphaned =
    record.operation.status === 'in_flight' && isInDoubt(record.operation, { now: clock(), isOwnerGone })
  if (!isOrphaned) return record
  // That its executor is gone is written down first: what is asked then is asked of something that stands still.
  await look({ ...session, epochs: new Map() }, operation_id)
  return recordOf(session, operation_id)
}

interface Looked {
  readonly latest: readonly Seen[]
  readonly requests: readonly string[]
}

async function concluded(
  session: Session,
  record: OperationRecord,
  { latest, requests }: Looked,
): Promise<ReconcileBody> {
  const { operation, attempts, external_ids, evidence } = record
  const earlier = seenIn(evidence)
  const bound = await boundIds(session, operation.operation_id, [...earlier, ...latest])
  const verdict = judge({
    operation,
    attempts,
    knownIds: external_ids,
    boundTo: id => bound.get(nameOf(id)) ?? null,
    now: session.clock(),
    // The commit asks the clocks; a verdict of absence it refuses stays evidence.
    clockDoubt: false,
    latest,
    earlier,
  })
  const written = await writeVerdict(session, {
    operation_id: operation.operation_id,
    verdict,
    evidence: evidenceOf(latest, verdict),
    settled: isSettled(operation.status) ? operation.status : null,
    seen: { attempts: operation.attempt, version: operation.version },
  })
  const said = isSettled(operation.status)
    ? ofSettled(operation, verdict)
    : told(verdict, written.refusal?.reason ?? null, latest)
  return body(written.operation, { ...said, requests })
}

/** Asked about although it was settled: what was found contradicts that, and what was not found says nothing. */
function ofSettled({ status }: Operation, verdict: Verdict): Idle {
  const { rule, reason } = verdict
  if (status === 'confirmed' && verdict.verdict === 'confirmed')
    return {
      outcome: 'settled',
      rule,
      reason: `it is confirmed, and the service says the same: ${reason}`,
      external_ids: verdict.external_ids.map(id => item(externalIdItem(id))),
      duplicates: verdict.duplicates,
    }
  if (status === 'confirmed' && verdict.verdict === 'absent')
    return {
      outcome: 'in_doubt',
      rule,
      reason: `a person settled it as confirmed, and the service says otherwise: ${reason}`,
      waits_for: 'person',
    }
  if (verdict.verdict !== 'confirmed')
    return { outcome: 'settled', rule, reason: `it stays ${status}: ${reason}` }
  return {
    outcome: 'in_doubt',
    rule,
    reason: `${reason}, and it was settled as ${status}: a person decides`,
    waits_for: 'person',
    external_ids: verdict.external_ids.map(id => item(externalIdItem(id))),
    duplicates: verdict.duplicates,
  }
}

/** Which other operations the ids that were seen are bound to. */
async function boundIds(
  { store, clock }: Session,
  operation_id: string,
  seen: readonly Seen[],
): Promise<ReadonlyMap<string, string>> {
  const bound = new Map<string, string>()
  const ids = seen.flatMap(one => (one.completeness === 'failed' ? [] : one.matches.map(idOf)))
  for (const { kind, value } of ids) {
    const name = nameOf({ kind, value })
    if (bound.has(name)) continue
    const { operations } = await store.operations({
      scope: 'all',
      sort: 'id',
      external_id: `${kind}=${value}`,
      now: clock(),
      goneOwners: [],
      limit: 10,
      uncounted: true,
    })
    const other = operations.find(one => one.operation_id !== operation_id)
    if (other !== undefined) bound.set(name, other.operation_id)
  }
  return bound
}

function idOf({ external_id }: Match): ExternalId {
  return external_id
}

function nameOf({ kind, value }: Pick<ExternalId, 'kind' | 'value'>): string {
  return JSON.stringify([kind, value])
}

function told(verdict: Verdict, refusal: string | null, latest: readonly Seen[]): Idle {
  const { rule, reason } = verdict
  if (refusal !== null)
    return {
      outcome: 'in_doubt',
      rule,
      reason: `${reason}; it was not written: ${refusal}`,
      waits_for: 'time',
    }
  switch (verdict.verdict) {
    case 'confirmed':
      return {
        outcome: 'confirmed',
        rule,
        reason,
        external_ids: verdict.external_ids.map(id => item(externalIdItem(id))),
        duplicates: verdict.duplicates,
      }
    case 'absent':
      return { outcome: 'not_executed', rule, reason }
    case 'not_applied':
      return { outcome: 'in_doubt', rule, reason, waits_for: 'time' }
    case 'inconclusive': {
      const { waits_for, next_look_at, candidates, facts } = verdict
      const hasFailed = latest.some(({ completeness }) => completeness === 'failed')
      return {
        outcome: hasFailed && rule === 'not_answered' ? 'probe_failed' : 'in_doubt',
        rule,
        reason,
        waits_for,
        next_look_at: isoOrNull(next_look_at),
        candidates: candidates.map(({ external_id, matched_by, digest, differs }) => ({
          external_id: item(externalIdItem(external_id)),
          matched_by,
          digest,
          ...(differs === undefined ? {} : { differs }),
        })),
        facts,
      }
    }
  }
}

function item(id: ExternalId): JsonObject {
  return { ...id }
}
