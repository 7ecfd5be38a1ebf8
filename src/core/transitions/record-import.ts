import type { Attempt } from '../attempt.js'
import { isSettled, type Operation, type OperationStatus } from '../operation.js'
import type { EventBody, Settable } from './events.js'
import type { Move } from './guards/guard.js'
import { followsTheirs } from './guards/importing.js'
import type { Addition } from './record.js'
import { saysMore } from './record-attempt.js'
import { setOfIntent } from './record-prepare.js'
import type { Context, RequestOf } from './requests.js'

type Import = RequestOf<'import'>

/** What the first event of an operation writes that another system wrote down. */
export function importedFirst(request: Import, { same_write }: Context) {
  const { intent, attempts, external_ids, kept, created_at, said } = request
  const { input, repeat, contract, effect } = intent
  const retention = repeat?.kind === 'idempotency_key' ? repeat.retention_ms : null
  const firstSentAt = attempts.find(({ n }) => n === 1)?.sent_at ?? attempts[0]?.sent_at ?? null
  const set: Settable = {
    ...setOfIntent(intent),
    ...(retention === null ? {} : { key_retention_ms: retention }),
    // reads are asked again and again; the same write twice is worth a look
    ...(same_write === null || effect === 'read' ? {} : { same_as: same_write }),
    ...(firstSentAt === null ? {} : { key_first_used_at: firstSentAt }),
    ...standing(request),
    ...kept,
    lease_fence: 1,
    created_at,
    heartbeat_at: request.heartbeat_at,
    progress: request.progress,
  }
  return {
    set,
    attempts,
    external_ids,
    facts: said,
    large: { input, repeat, contract, result: request.result },
  } satisfies Addition
}

/** What a later reading of their record adds. Their attempts count while nobody here has decided anything. */
export function importedNews(move: Move, request: Import, to: OperationStatus): Addition {
  const { operation, attempts } = move.state
  const isTheirs = followsTheirs.check(move) === null
  const news = isTheirs || to !== operation.status ? attemptNews(attempts, request) : NOTHING
  const isSame = to === operation.status
  return {
    set: {
      ...(isSame && (!isTheirs || isSettled(to)) ? {} : standing(request)),
      ...(news.attempts.length === 0 ? {} : { attempt: newestOf(operation, news.attempts) }),
      ...(operation.key_first_used_at === null && request.attempts[0] !== undefined
        ? { key_first_used_at: request.attempts[0].sent_at }
        : {}),
    },
    ...news,
    external_ids: request.external_ids,
    facts: request.said,
    ...(request.status === 'confirmed' && !isSame ? { large: { result: request.result } } : {}),
  }
}

function standing({ status, attempts, settled_by, settled_at, ...rest }: Import): Settable {
  const newest = attempts.at(-1)
  return {
    ...(newest === undefined ? {} : { attempt: newest.n }),
    settled_by,
    ...(isSettled(status) && settled_at !== null ? { settled_at } : {}),
    ...(rest.last_error === null ? {} : { last_error: rest.last_error }),
    ...(rest.result_digest === null ? {} : { result_digest: rest.result_digest }),
    ...(status === 'in_flight' && newest !== undefined
      ? { lease_owner: newest.owner, lease_expires_at: rest.lease_expires_at }
      : {}),
  }
}

interface News {
  readonly attempts: readonly Omit<Attempt, 'operation_id'>[]
  readonly ends: NonNullable<EventBody['ends']>
}

const NOTHING: News = { attempts: [], ends: [] }

function attemptNews(known: readonly Attempt[], { attempts }: Import): News {
  const isKnown = ({ n }: { readonly n: number }) => known.some(attempt => attempt.n === n)
  return {
    attempts: attempts.filter(attempt => !isKnown(attempt)),
    ends: attempts.flatMap(({ n, end, error }) => {
      const before = known.find(attempt => attempt.n === n)
      if (before === undefined || end === null || end === before.end) return []
      if (end === 'absent' ? before.end === 'applied' : !saysMore(end, before.end)) return []
      return [{ n, end, ...(error === null ? {} : { error }) }]
    }),
  }
}

function newestOf({ attempt }: Operation, added: News['attempts']): number {
  return Math.max(attempt, ...added.map(({ n }) => n))
}
