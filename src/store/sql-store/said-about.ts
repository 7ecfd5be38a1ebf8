import type { ExternalId } from '../../core/operation.js'
import { number, text } from '../cells.js'
import type { Row } from '../engine.js'
import type { Redaction, RedactionBody } from '../redaction.js'
import type { OperationBundle } from '../verify/operation.js'

/** What the ledger's own chain says about operations, for `rowsOfMany`. */
export const SAID_ABOUT = `
select about as of_id, type, at, actor, body
from ledger_event indexed by event_about
where about in (select value from json_each($1)) and type in ('evidence', 'approve', 'revoke', 'defer', 'redact')
order by about, seq`

/** The same of one of them. */
export function saidIn(
  rows: readonly Row[],
): Pick<
  OperationBundle,
  'added_ids' | 'added_evidence' | 'approval_events' | 'deferred_until' | 'redactions'
> {
  const events = rows.map(row => ({
    type: text(row, 'type'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
    body: text(row, 'body'),
  }))
  return {
    added_ids: events.flatMap(({ type, body }) =>
      type === 'evidence' ? (namedIn(body).external_ids ?? []) : [],
    ),
    added_evidence: events.flatMap(({ type, body }) =>
      type === 'evidence' ? (namedIn(body).evidence ?? []) : [],
    ),
    approval_events: events.filter(({ type }) => type === 'approve' || type === 'revoke'),
    redactions: events.filter(({ type }) => type === 'redact').flatMap(redactionOf),
    deferred_until: deferredUntil(events.filter(({ type }) => type === 'defer').at(-1)?.body),
  }
}

/** What the last deferral says; undefined where its body was made unreadable, which its own chain names. */
function deferredUntil(body: string | undefined): number | null | undefined {
  if (body === undefined) return null
  try {
    const { until }: { readonly until?: number | null } = JSON.parse(body)
    return until
  } catch {
    return undefined
  }
}

/** Nothing from a body that was made unreadable: the ledger's own chain names that one. */
function namedIn(body: string): {
  readonly external_ids?: ExternalId[]
  readonly evidence?: { n: number; hash: string }[]
} {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

export function redactionOf({
  at,
  actor,
  body,
}: {
  readonly at: number
  readonly actor: string
  readonly body: string
}): Redaction[] {
  try {
    const said: RedactionBody = JSON.parse(body)
    return [{ at, actor, reason: String(said.reason), parts: Array.isArray(said.parts) ? said.parts : [] }]
  } catch {
    return []
  }
}
