import { actorWords } from '../../core/actor.js'
import { REDACT_FIELDS, type RedactBody } from '../../core/documents/redact.js'
import { partName } from '../../core/documents/redaction-item.js'
import { LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Foretelling } from '../../ledger/foretelling.js'
import { command, type Given } from '../command.js'
import { confirm } from '../confirm.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { argument, flag, repeated, someText, value, wholeNumber } from '../parameters.js'

export const redact = command({
  name: 'redact',
  chapter: 'Keep',
  summary: 'blank what a settled operation holds, for ever, and leave its digests',
  details: [
    'Without --input, --result, --event or --evidence all of it: the input, the result, the body of each evidence, and the texts in its events. Digests, times, statuses and external ids stay, so the chains still fit, and `verify` names what was blanked, by whom and why.',
    'It cannot be undone. Copies are not reached: backups, exports, archives, logs of PostgreSQL; a file of SQLite gives the space away when it is written again. The reason stays on record: keep what is secret out of it.',
  ],
  args: { op: argument('the operation', { completes: 'operation' }) },
  options: {
    reason: value('text', 'why, for the record', someText),
    input: flag('its input'),
    result: flag('its result'),
    event: repeated('n', 'the texts of this event, as `show` numbers it', wholeNumber(1)),
    evidence: repeated('n', 'this evidence', wholeNumber(1)),
    dryRun: flag('say what would be blanked, and write nothing'),
  },
  examples: [
    {
      line: 'agent-ledger redact ticket-7 --reason "a customer asked for it" --dry-run',
      does: 'what would be blanked',
    },
    {
      line: 'agent-ledger redact ticket-7 --evidence 2 --reason "a password was pasted" --yes',
      does: 'one evidence of it',
    },
  ],
  documents: ['redact@1'],
  fields: REDACT_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof redact>, deps: Deps): Promise<number> {
  const { op, reason, dryRun } = given
  if (reason === undefined)
    throw new LedgerError('usage', '--reason is missing', {
      path: '--reason',
      hint: 'Say why the text has to go: it stays on record, so keep what is secret out of it.',
    })
  const parts = chosen(given)
  const asked = { op, reason, deps }
  // Also on a replica, which takes no writes.
  if (dryRun)
    return deps.withLedgerForReading(async ledger =>
      print(await ledger.redactable(op, parts), 'would_redact', { ...asked, ledger: ledger.location }),
    )
  return deps.withLedger(async ledger => {
    const would = await ledger.redactable(op, parts)
    const to = { ...asked, ledger: ledger.location }
    if (would.parts.length === 0) return print(would, 'nothing_left', to)
    const { document } = await ledger.show(op)
    const decision = words`Blank for ever ${deps.show(names(would.parts))} of ${deps.show(op)}`
    await confirm({ decision, code: deps.show(document.code) }, deps)
    const done = await ledger.redact(op, { reason, ...(parts === null ? {} : { parts }) })
    return print({ ...done, by: ledger.actor }, 'redacted', to)
  })
}

interface To {
  readonly op: string
  readonly reason: string
  readonly ledger: string
  readonly deps: Deps
}

async function print(
  { parts, by }: Pick<Awaited<ReturnType<Foretelling['redactable']>>, 'parts' | 'by'>,
  outcome: RedactBody['outcome'],
  { op, reason, ledger, deps }: To,
): Promise<number> {
  const body: RedactBody = {
    operation_id: op,
    outcome: parts.length === 0 ? 'nothing_left' : outcome,
    parts: parts.map(({ part, n, digest }) => ({ part, n, digest })),
    reason,
    by,
  }
  await printDocument(
    { schema: 'redact@1', ledger, body, fields: REDACT_FIELDS, text: () => said(body, deps) },
    deps,
  )
  return 0
}

function chosen({ input, result, event, evidence }: Given<typeof redact>) {
  const parts = [
    ...(input ? [{ part: 'input', n: 0 } as const] : []),
    ...(result ? [{ part: 'result', n: 0 } as const] : []),
    ...event.map(n => ({ part: 'event', n }) as const),
    ...evidence.map(n => ({ part: 'evidence', n }) as const),
  ]
  return parts.length === 0 ? null : parts
}

function names(parts: readonly { readonly part: string; readonly n: number }[]): string {
  return parts.map(({ part, n }) => partName(part, n)).join(', ')
}

function said({ operation_id, outcome, parts, by }: RedactBody, { show }: Deps): Safe {
  const id = show(operation_id)
  if (outcome === 'nothing_left') return words`${id}: nothing of this is left to blank`
  const lines = parts.map(({ part, n, digest }) => words`  ${show(partName(part, n))}  ${show(digest)}`)
  const head =
    outcome === 'redacted'
      ? words`${id}: blanked by ${show(actorWords(by))}; these digests stay, and nothing brings the texts back`
      : words`${id}: this would be blanked; nothing was written`
  return join([head, ...lines], '\n')
}
