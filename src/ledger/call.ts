import { amountOf, type ToolConfig } from '../config/config.js'
import { canonicalize, contractDigest, deriveIdempotencyKey, inputDigest, sha256 } from '../core/digest.js'
import { LedgerError } from '../core/errors.js'
import {
  type Check,
  checkFields,
  isAny,
  isObject,
  isOneOf,
  isSomeText,
  isText,
  isTextList,
  isTime,
  isWhole,
} from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import { checkDepth } from '../core/json-depth.js'
import {
  type CheckpointRef,
  type Contract,
  EFFECTS,
  type Effect,
  type Intent,
  type Provenance,
  type Repeat,
  type RetryPolicy,
} from '../core/operation.js'
import { checkId } from '../core/operation-id.js'
import type { Asking } from '../core/transitions/requests.js'
import { isContract, isRepeat, isRetry } from './contract.js'
import type { Session } from './session.js'

/** One outside write, as it is meant. Times are milliseconds since 1970 UTC. */
export interface Call {
  /** made before it is sent, the same after every restart: see `operationId()` */
  readonly id: string
  readonly task: string
  /** what is called, `tickets.create`; the configuration names its contract */
  readonly tool: string
  /** JSON; another input under the same id is refused */
  readonly input: JsonValue
  readonly step?: string
  readonly phase?: string
  /** what is touched: a host, a repository, a record */
  readonly target?: string
  /** what undoing would take; undeclared counts as irreversible */
  readonly effect?: Effect
  /** what a repeat of the same request does; undeclared is never repeated while in doubt */
  readonly repeat?: Repeat
  /** a person must give leave before it is sent; asked for here it holds whatever the tool's contract says */
  readonly approval?: 'required'
  /** what the person on call needs to know of the tool */
  readonly contract?: Contract
  /** what is at stake, for the order of risk */
  readonly amount?: number
  /** attempts over its whole life; default 3 */
  readonly maxAttempts?: number
  /** how a refusal of the moment, or a lost answer that is safe to repeat, is tried again */
  readonly retry?: RetryPolicy
  /** how long `run` may wait in all for retries before it answers `waiting`, milliseconds; default 5,000 */
  readonly waitForRetryMs?: number
  /**
   * A key of your own, where the service or your records want it; stored once and never changed. Left out, the
   * ledger derives one from the id. Unique in the scope of the repeat contract.
   */
  readonly idempotencyKey?: string
  /** why it is wanted although the same tool and input stand under another id of this task; kept and shown */
  readonly again?: string
  /** it cleans up after its task was cancelled: allowed then, and marked */
  readonly cleanup?: boolean
  readonly deadlineAt?: number
  /** how long the handler may take; default: no limit */
  readonly timeoutMs?: number
  /** where in a framework's checkpoint this is */
  readonly checkpoint?: CheckpointRef
  /** how long the lease lasts between renewals; default 60 s */
  readonly leaseMs?: number
  /** the operation that this one undoes */
  readonly compensates?: string
  readonly links?: readonly string[]
}

export const DEFAULT_MAX_ATTEMPTS = 3
/** About what a person or a model waits for one tool call; what takes longer is the dispatcher's. */
export const DEFAULT_WAIT_FOR_RETRY_MS = 5_000
const SHORTEST_LEASE_MS = 100
const LONGEST_LEASE_MS = 24 * 3_600_000
/** the longest a timer of this runtime can wait */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

export const isLeaseMs = isWhole(SHORTEST_LEASE_MS, LONGEST_LEASE_MS)

const FIELDS: Readonly<Record<keyof Call, Check>> = {
  id: isText,
  task: isText,
  tool: isSomeText,
  input: isAny,
  step: isText,
  phase: isText,
  target: isSomeText,
  effect: isOneOf(EFFECTS),
  repeat: isRepeat,
  approval: isOneOf(['required']),
  contract: isContract,
  amount: value => (Number.isFinite(value) ? null : 'must be a finite number'),
  maxAttempts: isWhole(1, 1_000),
  retry: isRetry,
  waitForRetryMs: isWhole(0, LONGEST_TIMEOUT_MS),
  idempotencyKey: isSomeText,
  again: isSomeText,
  cleanup: value => (typeof value === 'boolean' ? null : 'must be true or false'),
  deadlineAt: isTime,
  timeoutMs: isWhole(1, LONGEST_TIMEOUT_MS),
  checkpoint: isObject,
  leaseMs: isLeaseMs,
  compensates: isSomeText,
  links: isTextList,
}

/** What a call means, completed from the configuration of its tool. @throws LedgerError invalid_input */
export function intentOf(
  { config }: Pick<Session, 'config'>,
  call: Call,
  provenance: Provenance = 'library',
): Intent {
  checkFields(call, { fields: FIELDS, required: ['id', 'task', 'tool'], what: 'the call' })
  const operation_id = checkId(call.id, 'operation id')
  const task_id = checkId(call.task, 'task id')
  const tool: Partial<ToolConfig> = config.tools[call.tool] ?? {}
  // The input as JSON holds it: what is compared with the stored one after a restart.
  const inputText = canonicalize(call.input ?? null)
  checkDepth(inputText, 'the call: "input"')
  if (call.contract !== undefined) checkDepth(JSON.stringify(call.contract), 'the call: "contract"')
  const input = inputOf(inputText)
  const effect = call.effect ?? tool.effect ?? null
  const repeat = call.repeat ?? tool.repeat ?? null
  const contract = {
    ...tool.contract,
    ...call.contract,
    ...(call.retry === undefined ? {} : { retry: call.retry }),
    ...(call.approval === undefined ? {} : { approval: call.approval }),
  }
  return {
    operation_id,
    task_id,
    phase: call.phase ?? null,
    step: call.step ?? null,
    tool: call.tool,
    effect,
    target: call.target ?? null,
    input,
    input_digest: tool.digest_ignore ? inputDigest(input, tool.digest_ignore) : sha256(inputText),
    idempotency_key: call.idempotencyKey ?? deriveIdempotencyKey(operation_id),
    key_scope: repeat?.kind === 'idempotency_key' && repeat.scope !== undefined ? repeat.scope : call.tool,
    repeat,
    contract,
    contract_digest: contractDigest(effect, repeat, contract),
    amount: call.amount ?? amountOf(tool, input),
    max_attempts: call.maxAttempts ?? tool.max_attempts ?? DEFAULT_MAX_ATTEMPTS,
    deadline_at: call.deadlineAt ?? null,
    timeout_ms: call.timeoutMs ?? tool.timeout_ms ?? null,
    compensates: call.compensates ?? null,
    supersedes: null,
    checkpoint: call.checkpoint ?? null,
    provenance,
    links: call.links ?? [],
  }
}

/** The canonical text of a list with a function or a hole in it, or of an object with a function, is no JSON. */
function inputOf(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LedgerError(
      'invalid_input',
      'the call: "input" holds what JSON cannot: a function, or a list with a hole',
      { path: 'input', cause },
    )
  }
}

/** What the caller says of their asking. */
export function askingOf({ again, cleanup }: Pick<Call, 'again' | 'cleanup'>): Asking {
  return { ...(again === undefined ? {} : { again }), ...(cleanup ? { cleanup } : {}) }
}
