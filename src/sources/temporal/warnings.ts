interface WarningRule {
  readonly code: string
  readonly title: string
  /** why a person who takes the workflow over must know it */
  readonly reason: string
}

/** Everything about a history that may mislead. The code is stable; the message names what was found. */
export const TEMPORAL_WARNINGS = [
  {
    code: 'torn',
    title: 'something in the file is torn',
    reason: 'What stood there was skipped; an operation may have its end in it.',
  },
  {
    code: 'cut_short',
    title: 'the file ends too early',
    reason: 'A copy or a download was stopped: the newest events are missing.',
  },
  {
    code: 'not_an_event',
    title: 'an entry among the events is none',
    reason: 'It was skipped; an operation may have its end in it.',
  },
  {
    code: 'unknown_document',
    title: 'a document is neither a history nor a describe answer',
    reason: 'It was skipped.',
  },
  {
    code: 'other_engine',
    title: 'events of Cadence or SWF',
    reason: 'They look alike and mean other things: they are not read.',
  },
  {
    code: 'raw_history',
    title: 'the history is not JSON inside',
    reason: 'Ask for it with `temporal workflow show --output json`, which decodes it.',
  },
  {
    code: 'truncated',
    title: 'the server has more pages of this history',
    reason: 'An operation without an end may have it on the next page.',
  },
  {
    code: 'begins_late',
    title: 'the history does not begin with its first event',
    reason: 'What was asked for before is not in the file; some ends have no beginning.',
  },
  {
    code: 'gap_in_events',
    title: 'event ids are missing in between',
    reason: 'The server numbers events without gaps: the file was damaged or edited.',
  },
  {
    code: 'event_order',
    title: 'the events are in no order, or repeated',
    reason: 'They were put in order by their ids; of two with one id the first counts.',
  },
  {
    code: 'unknown_event_type',
    title: 'events of an unknown type',
    reason: 'A newer server wrote them; an operation of a new kind may be among them.',
  },
  {
    code: 'describe_alone',
    title: 'a describe answer without its history',
    reason: 'Only what is pending is known, and not under the id that a history gives it.',
  },
  {
    code: 'describe_other_run',
    title: 'a describe answer of a run whose history is not in the file',
    reason: 'It says nothing of the histories beside it.',
  },
  {
    code: 'history_is_older',
    title: 'the describe answer counts more events than the history has',
    reason: 'Operations may have ended since the history was taken: take it again.',
  },
  {
    code: 'reset_run',
    title: 'this run continues another from a reset',
    reason: 'What the earlier run did after that point really happened and is not in this file.',
  },
  {
    code: 'continues_run',
    title: 'this run goes on where another ended',
    reason: 'Retries, schedules and continue-as-new start a new run; the earlier one has its own history.',
  },
  {
    code: 'continued_elsewhere',
    title: 'another run goes on after this one',
    reason: 'A new run after a failure, a time-out or a schedule may repeat every outside write of this one.',
  },
  {
    code: 'ended_with_open_work',
    title: 'the workflow ended while operations were open',
    reason: 'Nothing waits for them any more. They may go on, and what they report is refused.',
  },
  {
    code: 'ended_without_code',
    title: 'the workflow was ended from outside',
    reason: 'A time-out or a termination runs no code of the workflow: no compensation and no cancellation.',
  },
  {
    code: 'run_ended',
    title: 'the workflow has ended',
    reason: 'It goes on only by a reset or as a new workflow.',
  },
  {
    code: 'outcomes_unknown',
    title: 'the workflow ended, and it is not known what some operations did',
    reason: 'A reset or a new workflow may do them a second time: look first.',
  },
  {
    code: 'run_completed',
    title: 'the workflow has come to its end',
    reason: 'Nothing is left to run; a reset would run it again from the point it names.',
  },
  {
    code: 'waits',
    title: 'the workflow waits, and nothing is pending',
    reason: 'A timer, a signal or an update wakes it; the server sees to that by itself.',
  },
  {
    code: 'changed_while_read',
    title: 'a file was changed while it was read',
    reason: 'What was read may be half of the old and half of the new: read it again.',
  },
  {
    code: 'earlier_attempts',
    title: 'earlier attempts left no event',
    reason: 'Only the last attempt is in the history, with the failure before it; each may have had effects.',
  },
  {
    code: 'local_work_untraced',
    title: 'a workflow task broke off, and local activities leave their trace only at its end',
    reason: 'A local activity may have run without a trace, and runs again.',
  },
  {
    code: 'workflow_task_stuck',
    title: 'the workflow’s own code does not get on',
    reason: 'Its task fails again and again or waits for a worker: nothing new is decided.',
  },
  {
    code: 'update_open',
    title: 'an update was accepted and not completed',
    reason: 'Someone waits for its answer.',
  },
  {
    code: 'payload_unreadable',
    title: 'inputs or results that only the workers can read',
    reason: 'Encrypted and binary payloads are shown with size and digest.',
  },
] as const satisfies readonly WarningRule[]

export type TemporalWarningCode = (typeof TEMPORAL_WARNINGS)[number]['code']

export interface TemporalWarning {
  readonly code: TemporalWarningCode
  readonly message: string
  readonly where: string | null
}

export function warning(code: TemporalWarningCode, message: string, where: string | null): TemporalWarning {
  return { code, message, where }
}
