import { evidenceWords } from '../../core/given-evidence.js'
import type { Safe } from '../../core/safe-text.js'
import type { Ask } from '../../ledger/asked-decision.js'
import { dangersOf } from '../../ledger/dangers.js'
import type { Decided } from '../../ledger/decide.js'
import type { Previewed } from '../../ledger/preview.js'
import type { Ledger } from '../../ledger.js'
import { confirmOnRecord } from './confirm-on-record.js'
import type { Opened } from './opened.js'
import { codeOf, summaryLines } from './summary.js'

interface Wanted {
  readonly operationId: string
  readonly ask: Ask
  /** `Resolve ticket-1 as confirmed` */
  readonly label: Safe
  /** further lines to read before saying yes */
  readonly about?: (preview: Previewed) => readonly Safe[]
}

/**
 * Shows what a decision would do, asks, and carries it out for the version that was shown. What would be refused is
 * refused before anybody is asked.
 */
export async function decideOperation(opened: Opened, wanted: Wanted): Promise<Decided> {
  const { operationId, ask, label, about } = wanted
  const { ledger, deps } = opened
  const preview = await ledger.check(operationId, ask)
  const type = decisionTypeOf(ask)
  const dangers = dangersOf({ type, preview, now: preview.now })
  if (!deps.global.yes) {
    const evidence = ask.type === 'resolve' ? (ask.how.evidence ?? []).map(evidenceWords) : []
    const more = about?.(preview) ?? []
    await deps.say(summaryLines({ preview, reason: ask.how.reason, evidence, dangers, more }, deps))
  }
  await confirmOnRecord(opened, {
    label,
    about: { operation_id: operationId },
    decision: type,
    ...(dangers.length === 0 ? {} : { code: codeOf(preview.before, deps) }),
  })
  return carryOut(ledger, operationId, asSeen(ask, preview.before.version))
}

/** A decision as the table of moves calls it. */
export function decisionTypeOf(ask: Ask) {
  if (ask.type !== 'resolve') return ask.type
  return ask.how.as === 'confirmed' ? 'resolve_confirmed' : 'resolve_not_executed'
}

/** The decision for the version that was shown, unless it names one itself. */
export function asSeen<A extends Ask>(ask: A, version: number): A {
  return { ...ask, how: { ...ask.how, expectVersion: ask.how.expectVersion ?? version } }
}

function carryOut(ledger: Ledger, operationId: string, ask: Ask): Promise<Decided> {
  switch (ask.type) {
    case 'resolve':
      return ledger.resolve(operationId, ask.how)
    case 'allow_retry':
      return ledger.allowRetry(operationId, ask.how)
    case 'reopen':
      return ledger.reopen(operationId, ask.how)
    case 'abandon':
      return ledger.abandon(operationId, ask.how)
    case 'cancel':
      return ledger.cancel(operationId, ask.how)
    case 'deny':
      return ledger.deny(operationId, ask.how)
    case 'acknowledge':
      return ledger.acknowledge(operationId, ask.how)
    case 'withdraw':
      return ledger.withdraw(operationId, ask.how)
  }
}
