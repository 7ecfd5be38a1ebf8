import type { ErrorFacts } from './facts.js'
import type { GrpcCode } from './grpc-facts.js'
import type { FailureRule } from './rule.js'

const CODES = 'grpc/doc/statuscodes.md'

type Said = Pick<FailureRule, 'id' | 'title' | 'reason' | 'end' | 'category' | 'retryable'>

/** What a gRPC status says. Which side made it is not told, so a code that the client makes too is no refusal. */
export const GRPC_RULES: readonly FailureRule[] = [
  byGrpc(
    ['RESOURCE_EXHAUSTED', 'UNIMPLEMENTED'],
    {
      id: 'grpc_reply_unread',
      title: 'the client could not take the reply',
      reason: 'there was a reply: the call had been carried out',
      end: 'ambiguous',
      category: 'outcome_unknown',
    },
    isMadeByClient,
  ),
  byGrpc(['INVALID_ARGUMENT', 'OUT_OF_RANGE'], {
    id: 'grpc_invalid',
    title: 'the service does not take such a call',
    reason: 'only the service itself gives this code',
    end: 'not_applied',
    category: 'invalid_input',
  }),
  byGrpc(['NOT_FOUND', 'FAILED_PRECONDITION', 'UNIMPLEMENTED'], {
    id: 'grpc_refused',
    title: 'the service refused the call',
    reason: 'it did not find, does not serve or is not ready for what the call was for',
    end: 'not_applied',
    category: 'refused',
  }),
  byGrpc(['PERMISSION_DENIED', 'UNAUTHENTICATED'], {
    id: 'grpc_not_allowed',
    title: 'the credential was missing, wrong or not enough',
    reason: 'it is refused before the work; the same call can be taken once the credential is new',
    end: 'not_applied',
    category: 'auth',
  }),
  byGrpc(['ABORTED'], {
    id: 'grpc_aborted',
    title: 'the service gave the call up for another one',
    reason: 'it says so of a transaction that it rolled back: begin the larger unit again',
    end: 'not_applied',
    category: 'conflict',
  }),
  byGrpc(['RESOURCE_EXHAUSTED'], {
    id: 'grpc_rate_limited',
    title: 'the service takes no more for now',
    reason: 'the limit is checked before the work',
    end: 'not_applied',
    category: 'rate_limited',
    retryable: true,
  }),
  byGrpc(['ALREADY_EXISTS'], {
    id: 'grpc_compare',
    title: 'the service has it already',
    reason:
      'it may be what this call, or an earlier sending of it, made: compare before anything is sent again',
    end: 'ambiguous',
    category: 'conflict',
  }),
  byGrpc(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED', 'UNKNOWN', 'INTERNAL', 'DATA_LOSS'], {
    id: 'grpc_lost',
    title: 'the call ended without an answer of the service',
    reason: 'the client gives this code as well when a part of the call had been sent already',
    end: 'ambiguous',
    category: 'outcome_unknown',
  }),
]

function byGrpc(
  codes: readonly GrpcCode[],
  rule: Said,
  also: (facts: ErrorFacts) => boolean = () => true,
): FailureRule {
  return {
    ...rule,
    source: CODES,
    answered: true,
    signals: codes,
    matches: facts => facts.grpc !== null && codes.includes(facts.grpc.code) && also(facts),
  }
}

// Words of @grpc/grpc-js on a reply that came (src/client.ts, src/transport.ts). They only ever take certainty away.
const REPLY_CAME = /^(?:Received message larger than max|Too many responses received|No message received)/

function isMadeByClient({ grpc }: ErrorFacts): boolean {
  return grpc !== null && REPLY_CAME.test(grpc.details)
}
