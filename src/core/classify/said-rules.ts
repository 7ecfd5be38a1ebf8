import type { FailureRule } from './rule.js'

const OURS = 'agent-ledger'
const LOST = { end: 'ambiguous', category: 'outcome_unknown', source: OURS } as const

/** The handler's own word, which comes before everything a client or a service says. */
export const SAID_NOT_EXECUTED: FailureRule = {
  id: 'said_not_executed',
  title: 'the handler says for certain that nothing took effect',
  reason: 'it threw notExecuted(), which is for this alone',
  source: OURS,
  end: 'not_applied',
  category: 'refused',
  signals: ['notExecuted()'],
  matches: ({ isNotExecuted }) => isNotExecuted,
}

export const SAID_ACCEPTED: FailureRule = {
  id: 'said_accepted',
  title: 'the handler says that the service took it in and works on it',
  reason: 'it gave accepted(), which is for this alone',
  source: OURS,
  end: 'accepted',
  category: 'accepted',
  signals: ['accepted()'],
  matches: () => false,
}

export const RETURNED: FailureRule = {
  id: 'returned',
  title: 'the handler returned',
  reason: 'a value that is returned is a receipt, whatever it is',
  source: OURS,
  end: 'applied',
  category: null,
  signals: ['a returned value'],
  matches: () => false,
}

export const ID_IN_ERROR: FailureRule = {
  id: 'id_in_error',
  title: 'the error names the object that was made',
  reason: 'an id at a place that the contract names for it outranks the error',
  source: OURS,
  end: 'applied',
  category: null,
  signals: ['ids of the contract, in: error'],
  matches: () => false,
}

export const READ_FAILED: FailureRule = {
  ...LOST,
  id: 'read_failed',
  title: 'the call that failed was a read, not the write',
  reason: 'it says nothing about the write, which may have been sent before it',
  signals: ['GET', 'HEAD'],
  matches: () => false,
}

export const RESENT_BELOW: FailureRule = {
  ...LOST,
  id: 'resent_below',
  title: 'a layer below sent it more than once',
  reason: 'what it reports is how its last sending ended; an earlier one may have taken effect',
  signals: ['counters of retries: AWS SDK, got, axios-retry, Octokit'],
  matches: () => false,
}

export const QUEUED_REFUSAL: FailureRule = {
  ...LOST,
  id: 'queued_refusal',
  title: 'refused by a service that queues',
  reason:
    'such a service may refuse and act on it later: npm answered 409 and took the same publish 40 minutes after',
  source: 'p8nut/resvg-napi, release v0.1.2',
  signals: ['queues: true in the contract'],
  matches: () => false,
}

export const BODY_UNREAD: FailureRule = {
  ...LOST,
  id: 'body_unread',
  title: 'the service answered, and what it said was not read',
  reason: 'the contract says that the body of such an answer may mean something else',
  signals: ['2xx without its body, where the contract has a rule that asks for it'],
  matches: () => false,
}

export const UNLISTED: FailureRule = {
  ...LOST,
  id: 'thrown',
  title: 'the call ended without saying whether it took effect',
  reason: 'no rule says that such a failure comes before the effect',
  signals: ['everything else'],
  matches: () => true,
}
