/**
 * What the design asks before each move, row by row (docs/states.md explains each): kept apart from the table, so
 * that a guard taken out of it is missed here. The rows that only keep a late result ask for evidence alone.
 */
export const GUARDS_BY_DESIGN: readonly (readonly [row: string, guards: string])[] = [
  ['prepare none → prepared', 'task_not_cancelled same_write_once'],
  [
    'send prepared → in_flight',
    'task_running epoch_as_claimed no_cancel_asked fence_as_held no_stranger_seen same_incarnation deadline_ahead nothing_on_file_for_a_repeat clocks_trusted_for_a_repeat retry_time_reached budget_left repeat_safe_or_accepted compensation_allowed approval_matches',
  ],
  ['accept in_flight → in_flight', 'attempt_is_live'],
  ['confirm in_flight → confirmed (is_receipt)', 'attempt_is_live evidence_given'],
  ['confirm in_flight unknown → confirmed (is_probe)', 'evidence_given'],
  ['confirm prepared → confirmed (is_probe)', 'may_have_applied evidence_given'],
  ['reject in_flight → not_executed', 'attempt_is_live no_other_attempt_in_doubt evidence_given'],
  ['reject_in_doubt in_flight → unknown', 'attempt_is_live other_attempt_in_doubt evidence_given'],
  ['schedule_retry in_flight → prepared', 'attempt_is_live no_cancel_asked budget_left evidence_given'],
  ['lose in_flight → unknown', 'attempt_is_live'],
  ['orphan in_flight → unknown', 'executor_gone'],
  ['takeover in_flight → unknown', 'reason_given'],
  ['takeover prepared → prepared', 'reason_given'],
  [
    'resend unknown → prepared',
    'task_running no_cancel_asked never_reopened nothing_on_file clocks_trusted same_incarnation budget_left repeat_safe_or_accepted',
  ],
  ['rerun not_executed → prepared', 'not_denied no_cancel_asked nothing_may_have_applied budget_left'],
  [
    'allow_retry unknown not_executed cancelled → prepared',
    'reason_given version_as_seen not_denied not_superseded no_cancel_asked repeat_safe_or_accepted',
  ],
  ['withdraw prepared → unknown (may_have_applied)', 'reason_given'],
  ['withdraw prepared → not_executed (was_sent)', 'reason_given'],
  ['withdraw prepared → prepared', 'reason_given'],
  [
    'absent unknown → not_executed',
    'probe_as_seen never_contradicted nothing_on_file clocks_trusted evidence_given',
  ],
  [
    'resolve_confirmed unknown not_executed → confirmed',
    'reason_given version_as_seen evidence_given target_as_asked',
  ],
  [
    'resolve_confirmed prepared → confirmed',
    'reason_given version_as_seen may_have_applied evidence_given target_as_asked',
  ],
  [
    'resolve_not_executed unknown → not_executed',
    'reason_given version_as_seen evidence_given arrival_passed_or_early',
  ],
  [
    'resolve_not_executed prepared → not_executed',
    'reason_given version_as_seen may_have_applied evidence_given arrival_passed_or_early',
  ],
  ['late_result prepared in_flight unknown confirmed → confirmed (late_end_is_applied)', 'evidence_given'],
  ['late_result unknown → not_executed (late_end_is_not_applied+ends_last_doubt)', 'evidence_given'],
  ['contradict confirmed not_executed cancelled abandoned → unknown', 'evidence_given'],
  ['reopen confirmed not_executed abandoned → unknown', 'reason_given version_as_seen'],
  ['cancel prepared → cancelled (never_sent)', 'reason_given version_as_seen'],
  ['cancel prepared → not_executed (nothing_may_have_applied)', 'reason_given version_as_seen'],
  ['cancel prepared → unknown', 'reason_given version_as_seen'],
  ['cancel in_flight → in_flight', 'reason_given version_as_seen'],
  ['cancel unknown → unknown', 'reason_given version_as_seen'],
  ['deny prepared → cancelled (never_sent)', 'reason_given version_as_seen'],
  ['deny prepared → not_executed (nothing_may_have_applied)', 'reason_given version_as_seen'],
  ['deny prepared → unknown', 'reason_given version_as_seen'],
  ['deny in_flight → in_flight', 'reason_given version_as_seen'],
  ['deny unknown → unknown', 'reason_given version_as_seen'],
  ['question in_flight → in_flight', ''],
  ['question unknown → unknown', ''],
  ['question confirmed → confirmed', ''],
  ['acknowledge unknown → unknown', 'reason_given version_as_seen has_duplicates'],
  ['acknowledge confirmed → confirmed', 'reason_given version_as_seen has_duplicates'],
  ['abandon unknown → abandoned', 'reason_given version_as_seen'],
]
