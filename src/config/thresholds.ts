/** The stall rules that have a limit a person can set; the others report facts. */
export const LIMITED_RULES = [
  'heartbeat_lost',
  'attempt_overdue',
  'deadline_passed',
  'retry_overdue',
  'never_sent',
] as const

export type LimitedRule = (typeof LIMITED_RULES)[number]
