import { externalIdOf } from '../../core/external-id.js'
import type { ImportedAttempt, ImportedOperation } from '../../core/imported.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { EFFECTS, type Effect, type ExternalId, type OperationStatus } from '../../core/operation.js'
import { foreignTime } from '../foreign-time.js'
import { listOf, objectOf, textOf } from '../json-parts.js'
import { recordId, shortDigest } from '../record-id.js'
import { createAttempts } from './attempts.js'
import { field, idField, textField } from './fields.js'
import { whyNotSent } from './not-sent.js'
import { OTHER_RULES, wordRule } from './status-words.js'

/** Puts the lines of one operation together: what comes last holds, what an earlier line alone says is kept. */
export function createOperation(id: string, taskId: string) {
  const attempts = createAttempts()
  const ids = new Map<string, ExternalId>()
  /** lines that were taken: an appended copy of a line is no further attempt */
  const taken = new Set<string>()
  let last: JsonObject = {}
  let merged: JsonObject = {}
  let sourceId = id
  let base = 0
  let created: number | null = null
  let updated: number | null = null

  return {
    taskId,
    /** `ownId`: the id in the line, which differs after a replay under a new id. */
    take(record: JsonObject, ownId: string): void {
      const line = shortDigest(JSON.stringify(record))
      if (taken.has(line)) return
      taken.add(line)
      if (ownId !== sourceId) {
        // A replay counts its attempts anew.
        base = attempts.highest()
        sourceId = ownId
      }
      if (ownId !== id)
        for (const value of [id, ownId]) ids.set(`source_id ${value}`, { kind: 'source_id', value })
      attempts.take(record, textField(record, 'status') ?? '', base)
      for (const one of externalIdsOf(record)) ids.set(`${one.kind} ${one.value}`, one)
      last = record
      merged = { ...merged, ...withoutNulls(record) }
      const at = foreignTime(field(record, 'at'))?.at ?? null
      created ??= foreignTime(field(record, 'startedAt'))?.at ?? at
      updated = at ?? updated
    },
    operation(): ImportedOperation {
      const all = attempts.all()
      const word = textField(last, 'status') ?? ''
      const outcome = outcomeOf(last, word, all)
      return {
        record: 'operation',
        operation_id: recordId('jsonl', id),
        task_id: taskId,
        tool: textField(merged, 'tool') ?? 'unknown tool',
        phase: textField(merged, 'phase'),
        step: idField(merged, 'step'),
        effect: effectOf(merged),
        target: textField(merged, 'target'),
        input: field(merged, 'input'),
        foreign_digest: textField(merged, 'digest'),
        idempotency_key: idField(merged, 'key'),
        status: outcome.status,
        foreign_status: word,
        rule: outcome.rule,
        why: outcome.why,
        attempts: all,
        external_ids: [...ids.values()],
        result: outcome.status === 'confirmed' ? field(last, 'result') : null,
        heartbeat_at: foreignTime(field(merged, 'heartbeat'))?.at ?? null,
        progress: field(merged, 'progress'),
        checkpoint: null,
        without_leases: true,
        created_at: created,
        updated_at: updated,
      }
    },
  }
}

interface Outcome {
  readonly status: OperationStatus
  readonly rule: string
  readonly why: string
}

function outcomeOf(record: JsonObject, word: string, attempts: readonly ImportedAttempt[]): Outcome {
  const rule = wordRule(word)
  if (rule === undefined) return other('jsonl.unlisted_word', 'unknown', word)
  const proof = whyNotSent(record)
  const mayHaveApplied = attempts.some(({ end }) => end !== 'not_applied' && end !== 'absent')
  if (rule.id === 'jsonl.cancelled' && attempts.length === 0)
    return other('jsonl.never_sent', 'cancelled', word)
  const isProven = rule.status === 'not_executed' || (isRefusal(rule.id) && proof !== null)
  if (isProven && mayHaveApplied) return other('jsonl.earlier_attempt', 'unknown', word)
  if (isProven && rule.status !== 'not_executed')
    return other('jsonl.nothing_sent', 'not_executed', `${word}; ${proof}`)
  return { status: rule.status, rule: rule.id, why: sentence(rule, word) }
}

function isRefusal(rule: string): boolean {
  return rule === 'jsonl.failed' || rule === 'jsonl.cancelled'
}

function other(id: (typeof OTHER_RULES)[number]['id'], status: OperationStatus, word: string): Outcome {
  const rule = OTHER_RULES.find(one => one.id === id)
  return { status, rule: id, why: rule === undefined ? word : sentence(rule, word) }
}

function sentence(
  { title, reason }: { readonly title: string; readonly reason: string },
  word: string,
): string {
  return `Its last record says "${word}": ${title}. ${reason}`
}

function withoutNulls(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

function effectOf(record: JsonObject): Effect | null {
  const word = textField(record, 'effect')
  return EFFECTS.find(effect => effect === word) ?? null
}

function externalIdsOf(record: JsonObject): ExternalId[] {
  const one = field(record, 'externalId')
  const many = field(record, 'externalIds')
  const listed: readonly JsonValue[] = one === null ? listOf(many) : [one, ...listOf(many)]
  return listed.flatMap(given => {
    const object = objectOf(given)
    if (object === null) return externalIdOf('resource', given) ?? []
    const url = textOf(object.url)
    const scope = textOf(object.scope)
    const about = { ...(url === null ? {} : { url }), ...(scope === null ? {} : { scope }) }
    return externalIdOf(object.kind ?? 'resource', object.value ?? object.id, about) ?? []
  })
}
