/** What must come of one input. `<event or action> <tool>: <status> by <rule>`; the number of an event, or part of an id. */
export interface ExpectedLog {
  readonly source: 'temporal' | 'openhands'
  readonly files: readonly [string, ...string[]]
  /** the status of the newest task */
  readonly task: string
  readonly operations: readonly string[]
  readonly warnings: readonly string[]
  /** about what a resume would send again: an outcome that is unknown and that nothing repeats is for `list --unknown` */
  readonly advice: string
}

/** Decided by hand from the events themselves and from what their servers write when; see docs/sources/. */
export const EXPECTED: readonly ExpectedLog[] = [
  {
    source: 'temporal',
    files: ['features.go.retry_on_error.array.json'],
    task: 'failed',
    operations: ['5 AlwaysFailActivity: unknown by temporal.failed'],
    warnings: ['earlier_attempts'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['samples-go.activity-timeout-start-to-close.json'],
    task: 'failed',
    operations: ['6 LongActivity: unknown by temporal.timed_out_start_to_close'],
    warnings: [],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['sdk-go.child-and-signal-external.json'],
    task: 'completed',
    operations: [
      '5 start testReplayWorkflowFromFile: confirmed by temporal.child_completed',
      '10 signal test-signal: confirmed by temporal.delivered',
    ],
    warnings: [],
    advice: 'resume',
  },
  {
    source: 'temporal',
    files: ['sdk-go.reset-after-child-complete.json'],
    task: 'completed',
    operations: ['5 start TestChildWorkflow: confirmed by temporal.child_completed'],
    warnings: ['reset_run'],
    advice: 'resume',
  },
  {
    source: 'temporal',
    files: ['sdk-java.activity-failed-max-attempts.mixed-enums.json'],
    task: 'failed',
    operations: ['5 HeartbeatAndThrowIO: unknown by temporal.failed'],
    warnings: ['earlier_attempts'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['sdk-java.child-cancel-and-local-activity.json'],
    task: 'cancelled',
    operations: [
      '5 start TestWorkflowReturnString: unknown by temporal.child_ended',
      '11 cancel a workflow: confirmed by temporal.delivered',
      '20 customActivity1: confirmed by temporal.local_completed',
    ],
    warnings: ['local_work_untraced'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['sdk-java.nexus-cancel.json'],
    task: 'completed',
    operations: ['5 TestNexusService/operation: unknown by temporal.nexus_canceled'],
    warnings: [],
    advice: 'resume',
  },
  {
    source: 'temporal',
    files: ['sdk-java.unknown-event-type.json'],
    task: 'running',
    operations: ['5 Execute: confirmed by temporal.local_completed'],
    warnings: ['unknown_event_type'],
    advice: 'resume',
  },
  {
    source: 'temporal',
    files: ['sdk-php.damaged-gap-in-events.json'],
    task: 'completed',
    operations: [
      '5 SimpleActivity.echo: confirmed by temporal.completed',
      '6 SimpleActivity.echo: unknown by temporal.end_not_in_file',
    ],
    warnings: ['gap_in_events', 'ended_with_open_work'],
    advice: 'hand_over',
  },
  {
    source: 'temporal',
    files: ['sdk-python.openai_agents.hello.json'],
    task: 'completed',
    operations: ['5 invoke_model_activity: confirmed by temporal.completed'],
    warnings: [],
    advice: 'resume',
  },
  {
    source: 'temporal',
    files: ['sdk-python.openai_agents.input-guardrail.scheduled-only-at-close.json'],
    task: 'completed',
    operations: [
      '5 invoke_model_activity: confirmed by temporal.completed',
      '6 invoke_model_activity: confirmed by temporal.completed',
      '17 invoke_model_activity: unknown by temporal.scheduled_only_closed',
      '18 invoke_model_activity: confirmed by temporal.completed',
    ],
    warnings: ['ended_with_open_work'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['ui.pair-running.history.json'],
    task: 'running',
    operations: ['13 activity.advanced-visibility: unknown by temporal.scheduled_only'],
    warnings: [],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['ui.pair-running.describe.json'],
    task: 'running',
    operations: ['0 activity.advanced-visibility: unknown by temporal.waiting_retry'],
    warnings: ['describe_alone', 'earlier_attempts'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['ui.pair-running.history.json', 'ui.pair-running.describe.json'],
    task: 'running',
    operations: ['13 activity.advanced-visibility: unknown by temporal.waiting_retry'],
    warnings: ['earlier_attempts'],
    advice: 'reconcile_first',
  },
  {
    source: 'temporal',
    files: ['ui.raw-events.descending.schedule-to-start-with-cause.json'],
    task: 'failed',
    operations: [
      '13 activity.advanced-visibility: unknown by temporal.timed_out_schedule_to_start_after_attempt',
    ],
    warnings: ['ended_without_code', 'local_work_untraced'],
    advice: 'reconcile_first',
  },
  {
    source: 'openhands',
    files: ['v0.basic.json'],
    task: 'completed',
    operations: ['3 edit: confirmed by openhands.observed'],
    warnings: ['times_without_zone'],
    advice: 'resume',
  },
  {
    source: 'openhands',
    files: ['v0.wrong_initial_state.json'],
    task: 'completed',
    operations: [
      '3 read: confirmed by openhands.observed',
      '5 run: confirmed by openhands.exit_code_zero',
      '7 read: confirmed by openhands.observed',
    ],
    warnings: ['times_without_zone'],
    advice: 'resume',
  },
  {
    source: 'openhands',
    files: ['sdk.goal-events.jsonl'],
    task: 'running',
    operations: [
      'e54cbba2 terminal: unknown by openhands.tool_error',
      '1eb65bb3 terminal: unknown by openhands.exit_code',
    ],
    warnings: ['orphan_answer', 'times_without_zone'],
    advice: 'resume',
  },
  {
    source: 'openhands',
    files: ['cli.confirmation_mode'],
    task: 'running',
    operations: [
      '42d4bb92 terminal: confirmed by openhands.exit_code_zero',
      'e5e86d80 terminal: confirmed by openhands.exit_code_zero',
      'fbb0c861 terminal: confirmed by openhands.exit_code_zero',
    ],
    warnings: ['times_without_zone'],
    advice: 'resume',
  },
  {
    source: 'openhands',
    files: ['sdk.conversation.38868567'],
    task: 'completed',
    operations: [],
    warnings: ['times_without_zone'],
    advice: 'resume',
  },
]
