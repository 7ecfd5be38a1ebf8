/** What each exit code says, for help, the man page and docs/exit-codes.md. Errors get theirs from ERROR_RULES. */
export const EXIT_CODES: readonly { readonly code: number; readonly means: string }[] = [
  { code: 0, means: 'done' },
  { code: 1, means: 'an unexpected fault' },
  { code: 2, means: 'wrong usage; or a decision needs --yes or evidence and there is no terminal to ask on' },
  { code: 3, means: 'the ledger is missing, unreadable, unreachable or of a newer schema' },
  { code: 4, means: 'no such task, operation or thread' },
  { code: 5, means: 'conflict: it changed since you looked, or someone holds it' },
  { code: 6, means: 'some items of many were not done' },
  { code: 7, means: 'refused by a safety rule; the message says which, and what would satisfy it' },
  { code: 8, means: 'busy: the ledger stayed locked past --wait; nothing was written' },
  { code: 10, means: 'something is in doubt (check, list --exit-code)' },
  { code: 11, means: 'nothing is in doubt, something is stalled (check, list --exit-code)' },
  { code: 12, means: 'something else was found that --fail-on asked for (check)' },
  { code: 129, means: 'the terminal hung up (SIGHUP)' },
  { code: 130, means: 'interrupted (SIGINT), or you declined' },
  { code: 143, means: 'terminated (SIGTERM)' },
]

/** Found by looking, not errors: what `check` and `list --exit-code` end with. */
export const FOUND = { inDoubt: 10, stalled: 11, other: 12 } as const
