/** What kind of trouble an operation is in, for an agent or a script to choose by. */
export const CATEGORIES = [
  'outcome_unknown',
  'refused',
  'conflict',
  'rate_limited',
  'auth',
  'invalid_input',
  'accepted',
  'cancelled',
  'budget_exhausted',
  'store_unavailable',
] as const
export type Category = (typeof CATEGORIES)[number]
