import type { ConfirmedItem, NotExecutedItem, ReportDocument } from '../../core/documents/report.js'
import type { SettledBy } from '../../core/operation.js'
import { VERIFICATION_WORDS, type Verification } from '../../core/verification.js'
import { idParts, leftOut, operationParts } from './open.js'
import { type Entry, entry, name, type Part, said, section, time, who, words } from './page.js'

/** Up to this many of one tool are named; more are told in one line, since nothing is to be done about them. */
const NAMED = 5

/** What is over, in the past tense. The heading says so, and nothing here is worded as something to do. */
export function historySections(report: ReportDocument) {
  const { confirmed, not_executed, abandoned, approvals, compensations } = report
  return [
    ...section('History: what was done (do not repeat)', confirmedEntries(confirmed)),
    ...section(
      'History: what did not happen',
      not_executed
        .slice(0, 50)
        .map(refusedEntry)
        .concat(leftOut(not_executed.length, 50, ['--status=not_executed,cancelled'])),
    ),
    ...section('History: what nobody knows and nobody asks any more', abandoned.map(abandonedEntry)),
    ...section(
      'History: what was undone',
      compensations.map(({ reason }) => entry([said(reason)])),
    ),
    ...section(
      'Approvals',
      approvals.map(({ operation_id, approver, reason, granted_at, state, used, uses }) =>
        entry([
          name(operation_id),
          words(': approved by '),
          name(approver),
          words(' '),
          time(granted_at),
          words(`, ${state.replace('_', ' ')} (${used} of ${uses} used): `),
          quoteOf(reason),
        ]),
      ),
    ),
  ]
}

function confirmedEntries(confirmed: readonly ConfirmedItem[]): Entry[] {
  const special = confirmed.filter(isSpecial).map(confirmedEntry)
  const plain = [...byTool(confirmed)].flatMap(([tool, members]) => {
    if (members.length <= NAMED) return members.map(confirmedEntry)
    const last = members.reduce((latest, item) => (item.at > latest.at ? item : latest))
    const ids = members.reduce((sum, { external_ids }) => sum + external_ids.length, 0)
    return [
      entry(
        [name(tool), words(`: ${members.length} done, the last `), time(last.at)],
        ids === 0 ? [] : [words(`${ids} external ids on file; --format json lists them`)],
      ),
    ]
  })
  return [...special, ...plain]
}

function byTool(confirmed: readonly ConfirmedItem[]): ReadonlyMap<string, readonly ConfirmedItem[]> {
  const tools = new Map<string, ConfirmedItem[]>()
  for (const item of confirmed) {
    if (isSpecial(item)) continue
    const members = tools.get(item.tool)
    if (members === undefined) tools.set(item.tool, [item])
    else members.push(item)
  }
  return tools
}

// What a person must not overlook is never told in a sum.
function isSpecial({ by_hand, undone_by, cancel_requested_at }: ConfirmedItem): boolean {
  return by_hand !== null || undone_by !== null || cancel_requested_at !== null
}

const BY: Readonly<Record<SettledBy, string>> = {
  receipt: 'confirmed by its receipt',
  probe: 'confirmed by a look at the service',
  person: 'confirmed by a person',
  imported: 'confirmed by another system’s record',
}

function confirmedEntry(item: ConfirmedItem): Entry {
  const { at, settled_by, by_hand, verification, external_ids, undone_by, cancel_requested_at } = item
  return entry(
    [
      ...operationParts(item),
      words(' was done '),
      time(at),
      ...(by_hand === null
        ? [words(settled_by === null ? '' : `, ${BY[settled_by]}`)]
        : [words(', settled by hand ('), who(by_hand.by), words(')'), ...behind(verification)]),
    ],
    external_ids.length === 0 ? [] : idParts(external_ids),
    undone_by === null ? [] : [words('it was done, then undone by '), name(undone_by)],
    cancel_requested_at === null
      ? []
      : [words('it finished after a cancel was asked at '), time(cancel_requested_at)],
  )
}

function refusedEntry(item: NotExecutedItem): Entry {
  const { at, by_hand, verification, last_error, status } = item
  const what = status === 'cancelled' ? ' was cancelled before anything was sent, ' : ' did not take effect, '
  return entry(
    [...operationParts(item), words(what), time(at), ...byHandParts(by_hand), ...behind(verification)],
    last_error === null ? [] : [words('last error: '), said(last_error.message)],
  )
}

function abandonedEntry(item: NotExecutedItem): Entry {
  return entry([
    ...operationParts(item),
    words(' was abandoned '),
    time(item.at),
    ...byHandParts(item.by_hand),
  ])
}

/** A word alone is not what a machine saw. */
function behind(verification: Verification | null): Part[] {
  return verification === null ? [] : [words(` ${VERIFICATION_WORDS[verification]}`)]
}

function byHandParts(byHand: { readonly by: string } | null): Part[] {
  return byHand === null ? [] : [words(', by hand ('), who(byHand.by), words(')')]
}

function quoteOf(text: string): Part {
  return { kind: 'quote', text }
}
