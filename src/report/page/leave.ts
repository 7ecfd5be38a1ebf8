import { differenceWords } from '../../core/approval-digest.js'
import type { ApprovalItem } from '../../core/documents/report.js'
import type { ShowDocument } from '../../core/documents/show.js'
import type { OperationStatus } from '../../core/operation.js'
import { type Entry, entry, name, type Part, quote, said, time, who, words } from './page.js'

// Of one operation: the leave to send it, and what undid it.

const APPROVAL_WORDS: Readonly<Record<ApprovalItem['state'], string>> = {
  usable: 'permits the next send',
  used_up: 'used',
  expired: 'run out',
  revoked: 'taken back',
  for_something_else: 'given for something else than this is now',
}

export function approvals({ approvals: all, approval_digest }: ShowDocument): Entry[] {
  const digest =
    approval_digest === null ? [] : [entry([words('what would be approved now: '), name(approval_digest)])]
  return [
    ...all.map(one =>
      entry(
        [
          name(one.approval_id),
          words(', '),
          time(one.granted_at),
          words(', '),
          who(one.approver),
          words(`: ${APPROVAL_WORDS[one.state]}, ${one.used} of ${one.uses} used`),
          ...(one.expires_at === null ? [] : [words(', until '), time(one.expires_at)]),
        ],
        one.reason === '' ? [] : [quote(one.reason)],
        ...one.differences.map(difference => [said(differenceWords(difference))]),
      ),
    ),
    ...digest,
  ]
}

const OVER: readonly OperationStatus[] = ['not_executed', 'cancelled', 'abandoned']

export function undoneLines({ compensations, undone_by }: ShowDocument): Part[][] {
  if (undone_by !== null) return [[words('it was done, then undone by '), name(undone_by)]]
  return compensations.map(({ operation_id, status }) => [
    name(operation_id),
    words(OVER.includes(status) ? ` was to undo it: ${status}` : ` is to undo it: ${status}`),
  ])
}
