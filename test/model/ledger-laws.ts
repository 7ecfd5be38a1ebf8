import { isDeepStrictEqual } from 'node:util'
import { isInDoubt } from '../../src/core/in-doubt.js'
import { nextAction } from '../../src/core/next-action.js'
import { isSettled } from '../../src/core/operation.js'
import { attach } from '../../src/core/transitions/attach.js'
import { decide } from '../../src/core/transitions/decide.js'
import type { NewEvent } from '../../src/core/transitions/events.js'
import { evolve } from '../../src/core/transitions/evolve.js'
import type { Context, Request, State } from '../../src/core/transitions/requests.js'
import { asked } from '../core/builders.js'
import { broken, holds } from './laws.js'
import { contextOf } from './ledger-context.js'
import { type LedgerState, VERSION } from './ledger-state.js'
import { LEASE, NOW, stampAtNow } from './setup.js'

export interface Change {
  readonly before: LedgerState
  readonly after: LedgerState
  readonly request: Request
  readonly context: Context
  readonly event: NewEvent
}

/** What must hold of every event, whatever the world outside does. */
export function checkChange(change: Change): void {
  const { before, after, request, context, event } = change
  const [was, is] = [before.state.operation, after.state.operation]
  holds(is.version === was.version + 1, 'version = number of events', `${was.version} → ${is.version}`)
  holds(is.lease_fence >= was.lease_fence, 'the fence never falls', request.type)
  const leftFlight = was.status === 'in_flight' && is.status !== 'in_flight'
  const byExecutor = 'fence' in request && request.fence !== null
  if (leftFlight && !byExecutor)
    holds(
      is.lease_fence > was.lease_fence,
      'leaving flight without the executor raises the fence',
      request.type,
    )
  if (request.type === 'orphan') holds(is.status === 'unknown', 'a lapsed lease leads to unknown', is.status)
  if (is.status === 'confirmed' || is.status === 'not_executed') checkEvidence(before.state, request, context)
  if (is.status === 'cancelled')
    holds(is.attempt === 0, 'cancelled means never sent', `${is.attempt} attempts were announced`)
  checkOpenDoubt(change)
  checkDuplicates(change)
  if (request.type === 'send' || request.type === 'resend' || request.type === 'rerun')
    checkSending(before, request.type)
  if (request.type === 'send') checkApproval(before, event)
  checkReplay(change)
}

/** A ledger as one looks at it: with what its guards are told, and whether it is in doubt. */
interface Look {
  readonly ledger: LedgerState
  readonly context: Context
  readonly isDoubted: boolean
}

const LOOK = { now: stampAtNow, isOwnerGone: () => false }

/** What must hold of every ledger that can be reached. */
export function checkLedger(ledger: LedgerState): void {
  const { operation, attempts } = ledger.state
  const open = attempts.filter(({ end }) => end === null)
  holds(open.length <= 1, 'at most one attempt holds the fence', `${open.length} attempts are open`)
  if (open.length === 1)
    holds(operation.status === 'in_flight', 'only what is in flight has a live attempt', operation.status)
  const look: Look = { ledger, context: contextOf(ledger), isDoubted: isInDoubt(operation, LOOK) }
  checkFencedOff(look)
  checkVersions(look)
  checkSolvable(look)
  checkAdvice(look)
  checkAttach(look)
}

/** Evidence is asked for wherever something is settled, but where refusals that cited theirs settle it, or nothing is. */
function checkEvidence(state: State, request: Request, context: Context): void {
  const cites = !['withdraw', 'cancel', 'deny', 'acknowledge'].includes(request.type)
  if (!cites) return
  const bare = decide(state, request, { ...context, evidence: [] })
  holds(!bare.ok, 'confirmed and not_executed cite evidence', `${request.type} without any was allowed`)
}

/** Nothing but a person's early word settles as not executed what may still have applied. */
function checkOpenDoubt({ before, after, request }: Change): void {
  const [was, is] = [before.state.operation, after.state.operation]
  if (is.status !== 'not_executed' || was.status === 'not_executed' || !is.may_have_applied) return
  const isEarly = request.type === 'resolve_not_executed' && request.early
  holds(isEarly, 'not_executed leaves no attempt in doubt, but for an early word', request.type)
}

/** That there is more than one stays asked until a person says that they know, and their word settles nothing. */
function checkDuplicates({ before, after, request }: Change): void {
  const [was, is] = [before.state.operation, after.state.operation]
  if (request.type !== 'acknowledge') {
    if (was.flags.duplicates)
      holds(is.flags.duplicates === true, 'duplicates ask on until they are acknowledged', request.type)
    return
  }
  const law = 'to acknowledge duplicates settles nothing'
  holds(was.flags.duplicates === true, law, 'there was nothing to acknowledge')
  holds(is.flags.duplicates === undefined, law, 'it asks on')
  holds(is.flags.acknowledged_duplicates !== undefined, law, 'the reason is not on record')
  holds(is.status === was.status && is.may_have_applied === was.may_have_applied, law, is.status)
  holds(isDeepStrictEqual(after.state.attempts, before.state.attempts), law, 'an attempt changed')
}

function checkSending({ memory, isHeld, state }: LedgerState, verb: string): void {
  const { operation } = state
  holds(!memory.isDenied, 'nothing is sent after a denial', verb)
  holds(!memory.isCancelled, 'nothing is sent after a cancel until reopen', verb)
  if (verb !== 'rerun') holds(!isHeld, 'nothing is sent after a takeover until handback', verb)
  if (verb === 'rerun')
    holds(!operation.may_have_applied, 'a rerun is for what certainly did not happen', verb)
}

function checkApproval({ approval, isPolicyChanged, state }: LedgerState, { body }: NewEvent): void {
  const { operation, attempts } = state
  if (operation.contract.approval !== 'required') return
  holds(approval !== null && approval.revoked_at === null, 'nothing is sent without a valid approval', '')
  holds(!isPolicyChanged, 'an approval holds only for what was shown', 'the policy had changed')
  const isConsumed = body.set?.approval_id !== undefined
  if (isConsumed)
    holds((approval?.used ?? 0) < (approval?.uses ?? 0), 'an approval is used at most its count', '')
  else
    holds(
      attempts.at(-1)?.end === 'not_applied',
      'a use of an approval covers one attempt that may take effect',
      `the last one ended ${attempts.at(-1)?.end}`,
    )
}

/** What is stored is the event's JSON: it must say the same, so that evolving it again gives the same row. */
function checkReplay({ event }: Change): void {
  const stored = JSON.parse(JSON.stringify(event))
  holds(isDeepStrictEqual(stored, event), 'replaying the events gives the row', event.type)
}

/** Who lost the fence, or holds an old claim, writes no outcome and sends nothing. */
function checkFencedOff({ ledger, context }: Look): void {
  const { operation, attempts } = ledger.state
  const live = operation.status === 'in_flight' ? operation.attempt : null
  for (const { n, fence, end } of attempts) {
    const isLive = n === live && fence === operation.lease_fence && end === null
    for (const request of outcomesOf({ attempt: n, fence: isLive ? fence - 1 : fence }))
      holds(
        !decide(ledger.state, request, context).ok,
        'who lost the fence writes no outcome',
        `${request.type} of attempt ${n}`,
      )
  }
  if (operation.status !== 'prepared') return
  const { lease_fence } = operation
  for (const claim of [{ epoch: 0 }, { fence: lease_fence - 1 }])
    holds(
      !decide(ledger.state, asked.send(claim), context).ok,
      'an old claim sends nothing',
      JSON.stringify(claim),
    )
}

function outcomesOf(by: { attempt: number; fence: number }): Request[] {
  return [
    asked.accept(by),
    asked.confirm(by),
    asked.reject(by),
    asked.rejectInDoubt(by),
    asked.scheduleRetry(by),
    asked.lose(by),
  ]
}

const ANOTHER_VERSION = { expected_version: VERSION - 1 }
const OUTDATED: readonly Request[] = [
  asked.allowRetry({ ...ANOTHER_VERSION, accept_duplicate: 'it may be there twice' }),
  asked.resolveConfirmed(ANOTHER_VERSION),
  asked.resolveNotExecuted({ ...ANOTHER_VERSION, early: true }),
  { ...asked.reopen(), ...ANOTHER_VERSION },
  { ...asked.cancel(), ...ANOTHER_VERSION },
  { ...asked.deny(), ...ANOTHER_VERSION },
  { ...asked.abandon(), ...ANOTHER_VERSION },
  { ...asked.acknowledge(), ...ANOTHER_VERSION },
]

/** A person who looked at another version decides nothing. */
function checkVersions({ ledger, context }: Look): void {
  for (const request of OUTDATED)
    holds(!decide(ledger.state, request, context).ok, 'a person decides on what they saw', request.type)
}

const SAY_CONFIRMED = asked.resolveConfirmed()
const SAY_NOT_EXECUTED = asked.resolveNotExecuted({ early: true })
const GIVE_UP = asked.abandon()
const ORPHAN = asked.orphan()
const WITHDRAW = asked.withdraw()
const SEND = asked.send()
const RESEND = asked.resend()

/** Whatever is in doubt can be settled both ways by a person with evidence, and given up. */
function checkSolvable({ ledger, context, isDoubted }: Look): void {
  if (!isDoubted) return
  const law = 'what is in doubt can be settled'
  const { state } = ledger
  const from = state.operation.status === 'in_flight' ? after(state, ORPHAN, context) : state
  if (from === null) broken(law, 'it cannot be orphaned')
  holds(decide(from, SAY_CONFIRMED, context).ok, law, 'not as confirmed')
  holds(decide(from, SAY_NOT_EXECUTED, context).ok, law, 'not as not executed')
  const open = from.operation.status === 'prepared' ? after(from, WITHDRAW, context) : from
  holds(open !== null && decide(open, GIVE_UP, context).ok, law, 'it cannot be given up')
}

/** What the advice calls safe is allowed, and doubt is never answered with "nothing to do". */
function checkAdvice({ ledger, context, isDoubted }: Look): void {
  const { operation } = ledger.state
  const { next_action, not_before } = nextAction({
    operation,
    look: LOOK,
    task: context.task,
    targetTouched: null,
    hasExternalIds: ledger.hasIds,
  })
  const law = 'the advice agrees with the table'
  if (isDoubted) holds(next_action !== 'none', law, 'none in doubt')
  if (isSettled(operation.status))
    holds(next_action !== 'resend_same_key', law, 'a repeat of what is settled')
  if (next_action === 'resend_same_key' && operation.status === 'unknown')
    holds(decide(ledger.state, RESEND, context).ok, law, 'a repeat it calls safe is refused')
  const isDue = (not_before ?? 0) <= NOW
  if (next_action === 'resume' && isDue && operation.contract.approval !== 'required')
    holds(decide(ledger.state, SEND, context).ok, law, 'it says resume, and the send is refused')
}

const WANTED = {
  intent: null,
  asking: {},
  rerun: true,
  send: { owner: 'host/boot-1/43', lease_ms: LEASE, epochOf: () => 1, jitter: 0 },
}

/** Whoever asks for the operation is led to steps that the table allows, one after the other. */
function checkAttach({ ledger, context }: Look): void {
  let at: State | null = ledger.state
  for (const { request } of attach(ledger.state, WANTED, context).steps) {
    at = at === null ? null : after(at, request, context)
    holds(at !== null, 'who asks again is led to what is allowed', request.type)
  }
}

function after(state: State, request: Request, context: Context): State | null {
  const decided = decide(state, request, context)
  if (!decided.ok) return null
  const { body, large } = decided.event
  return evolve(state, { operation_id: state.operation.operation_id, at: NOW, body, large })
}
