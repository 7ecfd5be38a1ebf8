import { actorWords } from '../core/actor.js'
import { LedgerError } from '../core/errors.js'
import { isoTime } from '../core/iso-time.js'
import { isSettled, type Operation } from '../core/operation.js'
import type { Claim, NewNote, Note } from '../store/store.js'
import { recordRefusal } from './decide.js'
import { storedText } from './decisions.js'
import { byOf, type Session } from './session.js'
import { type Subject, subjectOf } from './subject.js'
import { unknownOperation } from './unknown-id.js'

// What a person does beside deciding: say "I am looking at it", "not now", and what they found.

export interface ClaimOptions {
  /** until when, milliseconds since 1970 UTC */
  readonly until: number
  /** where an operation and a task have the same id */
  readonly as?: 'operation' | 'task'
}

/** @throws LedgerError not_found, invalid_input, conflict while another person's claim lasts */
export async function claim(session: Session, id: string, { until, as }: ClaimOptions): Promise<Claim> {
  const { store, actor, clock } = session
  const { ref } = await subjectOf(store, id, as)
  const { at } = clock()
  if (!Number.isSafeInteger(until) || until <= at)
    throw new LedgerError('invalid_input', `a claim of ${id} must end in the future`, { id, path: 'until' })
  const mine = await store.claim({ subject: ref, actor, at, until })
  if (mine !== null) return mine
  const [other] = await store.claimsOf([ref], at)
  throw claimed(id, other)
}

/** True when a claim was there and is gone now. @throws LedgerError not_found, conflict for another person's claim */
export async function release(session: Session, id: string, as?: 'operation' | 'task'): Promise<boolean> {
  const { store, clock } = session
  const { ref } = await subjectOf(store, id, as)
  if (await store.release(ref, byOf(session))) return true
  const [other] = await store.claimsOf([ref], clock().at)
  if (other !== undefined) throw claimed(id, other)
  return false
}

function claimed(id: string, other: Claim | undefined): LedgerError {
  const who = other === undefined ? 'somebody' : actorWords(other.actor)
  const until = other === undefined ? '' : ` until ${isoTime(other.until)}`
  return new LedgerError('conflict', `${id} is claimed by ${who}${until}`, {
    id,
    hint: 'Talk to them, or wait until their claim ends. A claim keeps nobody from deciding.',
    ...(other === undefined
      ? {}
      : { facts: { by: other.actor, at: isoTime(other.at), until: isoTime(other.until) } }),
  })
}

export interface DeferOptions {
  /** not before then, milliseconds since 1970 UTC; null takes an earlier deferral back */
  readonly until: number | null
  readonly reason: string
}

/** "Not now": hides nothing and moves nothing. @throws LedgerError not_found, invalid_input, refused when it is settled */
export async function defer(
  session: Session,
  { operationId, until, reason }: DeferOptions & { readonly operationId: string },
): Promise<{ readonly before: Operation; readonly after: Operation }> {
  const { store } = session
  const said = storedText(reason, 'reason', session.mask)
  const by = byOf(session)
  const record = await store.operation(operationId)
  if (record === null) throw await unknownOperation(store, operationId)
  if (until !== null && !(Number.isSafeInteger(until) && until > by.clock().at))
    throw new LedgerError('invalid_input', `${operationId} can only be deferred to a time in the future`, {
      id: operationId,
      path: 'until',
    })
  const { operation } = record
  if (isSettled(operation.status)) {
    const why = `${operationId} is settled: ${operation.status}`
    await recordRefusal(
      session,
      { operation_id: operationId },
      { decision: 'defer', rule: 'is_open', why, reason: said },
    )
    throw new LedgerError('refused', why, {
      id: operationId,
      rule: 'is_open',
      hint: 'Nothing is to be deferred.',
    })
  }
  const after = await store.setDefer({ operation_id: operationId, until, reason: said }, by)
  if (after === null) throw await unknownOperation(store, operationId)
  return { before: operation, after }
}

export interface NoteOptions {
  readonly kind?: NewNote['kind']
  readonly as?: 'operation' | 'task'
}

/** A handoff note on an operation or a task; it stays. @throws LedgerError not_found, invalid_input */
export async function note(
  session: Session,
  { id, text, kind = 'remark', as }: NoteOptions & { readonly id: string; readonly text: string },
): Promise<Note> {
  const body = storedText(text, 'note', session.mask)
  if (body.trim() === '') throw new LedgerError('invalid_input', 'the note is empty', { id, path: 'note' })
  const subject: Subject = await subjectOf(session.store, id, as)
  return session.store.addNote(
    {
      task_id: subject.task.task_id,
      operation_id: subject.kind === 'operation' ? id : null,
      kind,
      body,
    },
    byOf(session),
  )
}
