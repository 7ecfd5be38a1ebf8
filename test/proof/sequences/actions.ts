import fc from 'fast-check'

/** How the call of an attempt goes: whether the service did it, and what the executor hears of it. */
export const CALLS = ['done', 'done_unheard', 'in_the_air', 'refused'] as const
export type CallEnd = (typeof CALLS)[number]

export const DECISIONS = [
  'resolve',
  'resolve_early',
  'reopen',
  'abandon',
  'cancel',
  'withdraw',
  'allow_retry',
  'accept_duplicate',
  'resolve_what_was_seen',
] as const

/** One thing that happens. Small numbers choose among what is there: operations, executors, sendings. */
export type Action =
  | { readonly do: 'prepare' | 'send'; readonly op: number; readonly by: number }
  | { readonly do: 'run' | 'run_and_die'; readonly op: number; readonly by: number; readonly call: CallEnd }
  | { readonly do: 'arrive' | 'heartbeat'; readonly sending: number }
  | { readonly do: 'end'; readonly sending: number; readonly call: CallEnd }
  | { readonly do: 'die' | 'start_again'; readonly by: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'set_clock'; readonly aheadMs: number }
  | { readonly do: 'reboot' | 'reopen_ledger' | 'look' }
  | { readonly do: 'decide'; readonly op: number; readonly as: (typeof DECISIONS)[number] }
  | { readonly do: 'task'; readonly as: 'takeover' | 'handback' | 'cancel' }

const MINUTE = 60_000
const op = fc.nat(2)
const by = fc.nat(1)
const sending = fc.nat(5)
const call = fc.constantFrom(...CALLS)

/** Clocks are set by less than half of the margin: what a larger step does is an assumption of docs/guarantees.md. */
const AHEAD = [-5 * MINUTE, 0, 5 * MINUTE] as const
/** a moment, a lease, the time in which a request may still arrive, the life of a key */
const WAITS = [1, 61_000, 16 * MINUTE, 25 * 60 * MINUTE] as const

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom('run', 'run_and_die'), op, by, call }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('prepare', 'send'), op, by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('arrive', 'heartbeat'), sending }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end'), sending, call }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('decide'), op, as: fc.constantFrom(...DECISIONS) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(...WAITS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('die', 'start_again'), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set_clock'), aheadMs: fc.constantFrom(...AHEAD) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reboot', 'reopen_ledger', 'look') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('task'), as: fc.constantFrom('takeover', 'handback', 'cancel') }),
  },
)

/** What executors, people, clocks and the network do, in any order. */
export const sequences = fc.array(action, { minLength: 8, maxLength: 30, size: 'max' })
