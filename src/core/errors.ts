/** What can go wrong, once: the code, the exit code a command ends with, and what to do next. */
export interface ErrorRule {
  readonly exitCode: number
  readonly title: string
  readonly hint: string
}

/**
 * One row a code. Messages (what, to which id or path) are written where the error is thrown;
 * the hint here is what to do next unless the thrower knows better.
 */
export const ERROR_RULES = {
  internal: {
    exitCode: 1,
    title: 'an unexpected fault',
    hint: 'This is a bug: report it with the stack shown by AGENT_LEDGER_DEBUG=1.',
  },
  usage: {
    exitCode: 2,
    title: 'the command line or the input is wrong',
    hint: 'See the command with --help.',
  },
  invalid_input: {
    exitCode: 2,
    title: 'a value given does not fit',
    hint: 'Correct the value named and run it again; nothing was written.',
  },
  invalid_config: {
    exitCode: 2,
    title: 'agent-ledger.yaml cannot be used',
    hint: 'Correct the line named; nothing was written.',
  },
  needs_confirmation: {
    exitCode: 2,
    title: 'a decision needs --yes, or evidence, and there is no terminal to ask on',
    hint: 'Run it on a terminal, or give --yes with --reason and --evidence.',
  },
  ledger_missing: {
    exitCode: 3,
    title: 'no ledger was found',
    hint: 'Name one with --ledger or AGENT_LEDGER, or make one with `agent-ledger init`.',
  },
  ledger_unreadable: {
    exitCode: 3,
    title: 'the ledger, or a file to read, cannot be read',
    hint: 'Look at the path named; nothing was changed.',
  },
  not_a_ledger: {
    exitCode: 3,
    title: 'the file is not a ledger',
    hint: 'Name the ledger with --ledger; a checkpoint file is read with `agent-ledger checkpoint`.',
  },
  ledger_damaged: {
    exitCode: 3,
    title: 'the ledger is damaged',
    hint: 'Move the file, its -wal and its -shm away together, keep them, and restore a backup; nothing was changed.',
  },
  ledger_newer: {
    exitCode: 3,
    title: 'the ledger has a newer schema than this program knows',
    hint: 'Install a newer agent-ledger; nothing was changed.',
  },
  ledger_older: {
    exitCode: 3,
    title: 'the ledger has an older schema than this program writes',
    hint: 'Write it with the version of agent-ledger that made it; reading commands work as it is.',
  },
  ledger_moved: {
    exitCode: 3,
    title: 'the ledger was moved elsewhere, or has not arrived yet',
    hint: 'Name the place it is at now; nothing was changed.',
  },
  ledger_replaced: {
    exitCode: 3,
    title: 'another file stands where the ledger was opened',
    hint: 'Open it again to use what is there now; what is missing there is in the file that was moved away.',
  },
  ledger_unwritable: {
    exitCode: 3,
    title: 'the ledger cannot be written',
    hint: 'Nothing was sent. Free space or restore the permission, then run it again.',
  },
  unsafe_filesystem: {
    exitCode: 3,
    title: 'the file system does not keep SQLite safe',
    hint: 'Use a local disk or a named volume.',
  },
  not_found: {
    exitCode: 4,
    title: 'no such task, operation or thread',
    hint: 'List what is there with `agent-ledger list --all` or `agent-ledger tasks`.',
  },
  conflict: {
    exitCode: 5,
    title: 'it changed since you looked, or someone holds it',
    hint: 'Look again with `agent-ledger show`, then decide anew.',
  },
  different_input: {
    exitCode: 5,
    title: 'the operation id is taken by another input',
    hint: 'Another intent is another operation: give it its own id.',
  },
  some_failed: {
    exitCode: 6,
    title: 'some items of many were not done',
    hint: 'Correct those named and run it again: what is done stays done.',
  },
  refused: {
    exitCode: 7,
    title: 'refused by a safety rule',
    hint: 'Do what the rule asks for first.',
  },
  busy: {
    exitCode: 8,
    title: 'the ledger stayed locked past --wait; nothing was written',
    hint: 'Try again, or give a longer --wait.',
  },
  declined: {
    exitCode: 130,
    title: 'you declined',
    hint: 'Run it again to decide otherwise.',
  },
} as const satisfies Record<string, ErrorRule>

export type ErrorCode = keyof typeof ERROR_RULES

export interface ErrorDetail {
  /** the operation, task or thread concerned */
  readonly id?: string
  /** the file, URL or field concerned */
  readonly path?: string
  /** what to do next, when the thrower knows better than the table */
  readonly hint?: string
  /** the safety rule that refused, where one did */
  readonly rule?: string
  /** facts to show beside the message: digests, differing paths, versions */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The only error this project throws on purpose. Anything else that is thrown is a bug. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly id: string | undefined
  readonly path: string | undefined
  readonly hint: string
  readonly rule: string | undefined
  readonly facts: Readonly<Record<string, unknown>> | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    detail: ErrorDetail = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.id = detail.id
    this.path = detail.path
    this.hint = detail.hint ?? ERROR_RULES[code].hint
    this.rule = detail.rule
    this.facts = detail.facts
  }

  get exitCode(): number {
    return ERROR_RULES[this.code].exitCode
  }
}

/** True for our own error from any copy of this module (the command line is built in chunks). */
export function isLedgerError(error: unknown): error is LedgerError {
  return error instanceof Error && error.name === 'LedgerError' && 'code' in error && error.code !== undefined
}
