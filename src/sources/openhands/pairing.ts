import { createHeldValues } from '../held-values.js'
import type { ActionSeen, AnswerSeen } from './happening.js'
import type { Pair } from './outcome-rules.js'

/** What became certain, in the order in which it did. */
export type Paired =
  | { readonly is: 'pair'; readonly pair: Pair; readonly n: number }
  | { readonly is: 'orphan'; readonly answer: AnswerSeen; readonly where: string }
  | { readonly is: 'repeated'; readonly action: ActionSeen; readonly where: string }
  | { readonly is: 'values_dropped' }

interface Open {
  action: ActionSeen
  /** an error that OpenHands made up, until something real comes */
  answer: AnswerSeen | null
  readonly n: number
}

// What the SDK itself takes for an answer, and what a later one may correct.
const MADE_UP: readonly AnswerSeen['kind'][] = ['restart', 'interrupted', 'not_executed_claim', 'error']

interface Pairing {
  readonly workersStopped: boolean
  /** characters that may be held of what is open; a limit of its own unless given */
  readonly mostHeld?: number
}

function answerTo(actionId: string): string {
  return `answer to ${actionId}`
}

/**
 * Joins actions and their answers, whichever comes first: by the id of the action, else by the id of the tool call, and the
 * newest action that has it. Nothing but what is open is held, so that a file of any length can be read.
 */
export function createPairing({ workersStopped, mostHeld }: Pairing) {
  const open = new Map<string, Open>()
  const byCall = new Map<string, string>()
  /** the ids of what is decided, of actions and calls */
  const done = new Set<string>()
  const early = new Map<string, { answer: AnswerSeen; where: string }>()
  const awaiting = new Set<string>()
  const held = createHeldValues(mostHeld)
  /** id of the action whose command still runs, by tool */
  const running = new Map<string, string>()
  let n = 0

  function* action(seen: ActionSeen, where: string): Generator<Paired> {
    const known = open.get(seen.id)
    if (known !== undefined && seen.id.startsWith('acp:')) {
      open.set(seen.id, { ...known, action: { ...seen, at: known.action.at } })
      return
    }
    if (known !== undefined || done.has(`action ${seen.id}`)) {
      if (!seen.id.startsWith('acp:')) yield { is: 'repeated', action: seen, where }
      return
    }
    const place = placeOfAwaited(seen) ?? ++n
    open.set(seen.id, { action: { ...seen, input: held.hold(seen.id, seen.input) }, answer: null, n: place })
    if (seen.callId !== null) byCall.set(seen.callId, seen.id)
    if (seen.standing === 'awaiting') awaiting.add(seen.id)
    if (held.justDropped()) yield { is: 'values_dropped' }
    const key = [`action ${seen.id}`, `call ${seen.callId}`].find(name => early.has(name))
    const found = key === undefined ? undefined : early.get(key)
    if (key === undefined || found === undefined) return
    early.delete(key)
    held.release(key)
    yield* answer(found.answer, found.where)
  }

  /** V0 records an action anew, under another id, once a person has decided on it: it takes the place of the first. */
  function placeOfAwaited(seen: ActionSeen): number | null {
    if (seen.standing === 'awaiting' || awaiting.size === 0) return null
    const input = JSON.stringify(seen.input)
    for (const id of awaiting) {
      const one = open.get(id)
      const isSame =
        one !== undefined &&
        one.action.tool === seen.tool &&
        one.action.callId === seen.callId &&
        JSON.stringify(one.action.input) === input
      if (!isSame) continue
      forget(one)
      return one.n
    }
    return null
  }

  function* answer(seen: AnswerSeen, where: string): Generator<Paired> {
    const one = actionFor(seen)
    if (one === undefined) {
      // The server may write one more error after a real answer; it says nothing new.
      if (done.has(`action ${seen.actionId}`) || done.has(`call ${seen.callId}`)) return
      const name = seen.actionId === null ? `call ${seen.callId}` : `action ${seen.actionId}`
      early.set(name, { answer: { ...seen, result: held.hold(name, seen.result) }, where })
      return
    }
    const { id, tool, shell } = one.action
    // A shell that took another command was free again; a refusal or an error shows nothing of it.
    if (seen.kind === 'done' && (shell === 'command' || shell === 'reset')) running.delete(tool)
    if (shell === 'input') yield* lookedAgain(tool, seen)
    if (seen.kind === 'running' && shell === 'command') {
      running.set(tool, id)
      keep(one, seen)
    } else if (MADE_UP.includes(seen.kind)) keep(one, seen)
    else yield decide(one, seen)
    if (held.justDropped()) yield { is: 'values_dropped' }
  }

  /** What a look at the shell shows belongs to the command that runs in it. */
  function* lookedAgain(tool: string, seen: AnswerSeen): Generator<Paired> {
    const one = open.get(running.get(tool) ?? '')
    if (one === undefined || (seen.kind !== 'done' && seen.kind !== 'running')) return
    if (seen.kind === 'running') keep(one, seen)
    else if (seen.exitCode !== null) {
      running.delete(tool)
      yield decide(one, seen, true)
    }
  }

  /** An answer that a later one may correct: its action stays open, and what it says is held with the inputs. */
  function keep(one: Open, seen: AnswerSeen): void {
    const name = answerTo(one.action.id)
    held.release(name)
    one.answer = { ...seen, result: held.hold(name, seen.result), text: held.holdText(name, seen.text) }
  }

  function actionFor({ actionId, callId }: AnswerSeen): Open | undefined {
    // The oldest form has no ids at all: an answer follows its action.
    if (actionId === null && callId === null) return [...open.values()].at(-1)
    const named = actionId === null ? undefined : open.get(actionId)
    if (named !== undefined || done.has(`action ${actionId}`)) return named
    return callId === null ? undefined : open.get(byCall.get(callId) ?? '')
  }

  function forget({ action: seen }: Open): void {
    open.delete(seen.id)
    held.release(seen.id)
    held.release(answerTo(seen.id))
    awaiting.delete(seen.id)
    done.add(`action ${seen.id}`)
  }

  function decide(one: Open, found: AnswerSeen | null, isLater = false): Paired {
    const { action: seen } = one
    forget(one)
    if (seen.callId !== null && byCall.get(seen.callId) === seen.id) {
      byCall.delete(seen.callId)
      done.add(`call ${seen.callId}`)
    }
    const mayStillRun = running.get(seen.tool) === seen.id && !workersStopped
    return { is: 'pair', pair: { action: seen, answer: found, isLater, mayStillRun }, n: one.n }
  }

  return {
    action,
    answer,
    /** Decides what is still open. `hasEnded`: the conversation says that it stopped. */
    *end({ hasEnded }: { readonly hasEnded: boolean }): Generator<Paired> {
      if (hasEnded) running.clear()
      for (const one of [...open.values()]) yield decide(one, one.answer)
      for (const { answer: seen, where } of early.values()) yield { is: 'orphan', answer: seen, where }
      early.clear()
    },
  }
}
