import { appendToPlan } from '../config/stage-plan.js'
import { actorWords } from '../core/actor.js'
import { counted } from '../core/counted.js'
import { RECONCILE_WORDS } from '../core/documents/reconcile.js'
import { isLedgerError, type LedgerError } from '../core/errors.js'
import { type Safe, safe, words } from '../core/safe-text.js'
import type { Ask } from '../ledger/asked-decision.js'
import type { Decided } from '../ledger/decide.js'
import type { Ledger } from '../ledger.js'
import { type ActionId, actionOf } from './actions.js'
import type { Over } from './event.js'
import type { Carried, Subject } from './foresee.js'
import type { Foreseen } from './state.js'
import type { World } from './world.js'

type Tell = (line: Safe) => void

/** Carries out what a person said yes to, for the versions they were shown. What is refused is told, not thrown. */
export async function carryOut(
  world: World,
  action: ActionId,
  foreseen: Foreseen,
  tell: Tell,
): Promise<Over> {
  const carried = carriedOf(foreseen)
  try {
    return await world.withLedger(ledger => carriedOutOn(world, ledger, { action, carried, tell }))
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return refusedOver(world, error, carried)
  }
}

// Made by foresee(), and opaque to everything between.
function carriedOf({ carried }: Foreseen): Carried {
  return carried as Carried
}

interface Job {
  readonly action: ActionId
  readonly carried: Carried
  readonly tell: Tell
}

async function carriedOutOn(world: World, ledger: Ledger, { action, carried, tell }: Job): Promise<Over> {
  const { wish, subjects } = carried
  const { show, style } = world
  const [first] = subjects
  if (first === undefined) return over(words`nothing was to be done`, [], [])
  const ids = subjects.map(({ id }) => id)
  switch (wish.kind) {
    case 'ask':
      return decidedOver(world, action, await decideAll(ledger, subjects, wish.ask))
    case 'reconcile':
      return reconciledOver(world, ledger, { ids, tell })
    case 'approve': {
      const { reason } = wish
      const { undo } = await ledger.approve(first.id, {
        digest: first.digest ?? '',
        ...(reason === '' ? {} : { reason }),
      })
      return over(words`${show(first.id)}: approved for one send`, [undoLine(show(undo))], ids)
    }
    case 'revoke': {
      const { revoked, undo } = await ledger.revoke(first.id, { reason: wish.reason })
      return over(words`${revoked.length} taken back`, undo === null ? [] : [undoLine(show(undo))], ids)
    }
    case 'compensate': {
      const { operation, isNew } = await ledger.compensate(first.id, { reason: wish.reason })
      const title = words`${show(operation.operation_id)}: ${isNew ? words`prepared, undoes` : words`there already, undoes`} ${show(first.id)}`
      return over(title, [words`whoever carries the task on sends it`], ids)
    }
    case 'takeover':
    case 'handback': {
      const decided =
        wish.kind === 'takeover'
          ? ledger.takeover(first.taskId, wish.reason)
          : ledger.handback(first.taskId, wish.reason)
      const { operations, still_sending, undo } = await decided
      const lines = operations.map(
        ({ operation: { operation_id, status } }) => words`${show(operation_id)}: ${safe(status)}`,
      )
      if (still_sending.length > 0)
        lines.push(words`! bytes of ${counted(still_sending.length, 'attempt')} may still leave`)
      const title = words`${show(first.taskId)}: ${wish.kind === 'takeover' ? words`taken over` : words`handed back`} by ${show(actorWords(ledger.actor))}`
      return over(title, undo === null ? lines : [...lines, undoLine(show(undo))], ids)
    }
    case 'defer': {
      const each = await eachOf(world, ids, id =>
        ledger.defer(id, { until: wish.until, reason: wish.reason }),
      )
      return over(words`${each.count} deferred until ${style().exact(wish.until)}`, each.refused, each.done)
    }
    case 'claim': {
      const each = await eachOf(world, ids, id => ledger.claim(id, { until: wish.until, as: 'operation' }))
      const who = show(actorWords(ledger.actor))
      const title = words`${each.count} claimed by ${who} until ${style().exact(wish.until)}`
      return over(title, each.refused, each.done)
    }
    case 'release': {
      let ended = 0
      const each = await eachOf(world, ids, async id => {
        if (await ledger.release(id, 'operation')) ended++
      })
      return over(words`${ended} no longer claimed`, each.refused, each.done)
    }
    case 'note': {
      const each = await eachOf(world, ids, id => ledger.note(id, wish.text, { as: 'operation' }))
      return over(
        each.refused.length === 0 ? words`noted` : words`${each.count} noted`,
        each.refused,
        each.done,
      )
    }
  }
}

/** Refusals that say nothing of the others; a locked ledger is locked for them all. */
const OF_ONE_ALONE: ReadonlySet<LedgerError['code']> = new Set(['conflict', 'refused', 'not_found'])

interface Each {
  readonly done: readonly string[]
  /** `3`, or `2 of 3` where some were refused */
  readonly count: Safe
  readonly refused: readonly Safe[]
}

/** What each stands for itself in: one that is refused keeps none of the others. @throws LedgerError where none came of it */
async function eachOf(
  { show }: World,
  ids: readonly string[],
  does: (id: string) => Promise<unknown>,
): Promise<Each> {
  const done: string[] = []
  const refusals: LedgerError[] = []
  for (const id of ids) {
    try {
      await does(id)
      done.push(id)
    } catch (error) {
      if (!isLedgerError(error)) throw error
      refusals.push(error)
      if (!OF_ONE_ALONE.has(error.code)) break
    }
  }
  const [first] = refusals
  if (done.length === 0 && first !== undefined) throw first
  return {
    done,
    count: first === undefined ? words`${done.length}` : words`${done.length} of ${ids.length}`,
    refused: refusals.map(({ message }) => words`! not done: ${show(message)}`),
  }
}

/** One commit for all of them: all or none. */
async function decideAll(
  ledger: Ledger,
  subjects: readonly Subject[],
  ask: Ask,
): Promise<readonly Decided[]> {
  const asks = subjects.map(({ id, version }) => ({
    operationId: id,
    // The shape of an ask stays what it was: only the version is added.
    ask: { ...ask, how: { ...ask.how, expectVersion: version } } as Ask,
  }))
  return (await ledger.decideAll(asks)).decided
}

function decidedOver({ show }: World, action: ActionId, decided: readonly Decided[]): Over {
  const lines = decided.map(
    ({ operation_id, before, after }) =>
      words`${show(operation_id)}: ${safe(before.status)} → ${safe(after.status)} (version ${before.version} → ${after.version})`,
  )
  const sending = decided.flatMap(({ still_sending }) => still_sending)
  if (sending.length > 0) lines.push(words`! bytes of ${counted(sending.length, 'attempt')} may still leave`)
  const [only] = decided
  const undo = decided.length === 1 && only !== undefined ? only.undo : null
  const title = words`${safe(actionOf(action).verb)}: ${decided.length} decided`
  return {
    ...over(
      title,
      undo === null ? lines : [...lines, undoLine(show(undo))],
      decided.map(one => one.operation_id),
    ),
    undo: undo === null || only === undefined ? null : undoOf(action, only.operation_id),
  }
}

/** What `u` opens; other undoings are typed. */
function undoOf(action: ActionId, id: string): Over['undo'] {
  if (action === 'resolve_confirmed' || action === 'resolve_not_executed' || action === 'abandon')
    return { id, undo: 'reopen' }
  if (action === 'allow_retry') return { id, undo: 'withdraw' }
  return action === 'cancel' ? { id, undo: 'allow_retry' } : null
}

function undoLine(command: Safe): Safe {
  return words`to take it back: ${command}`
}

async function reconciledOver(
  { show, style }: World,
  ledger: Ledger,
  { ids, tell }: { readonly ids: readonly string[]; readonly tell: Tell },
): Promise<Over> {
  const lines: Safe[] = []
  let settled = 0
  for await (const body of ledger.reconcile(ids, { early: true })) {
    const { operation_id, outcome, reason, next_look_at } = body
    // why it could not be asked is said by the reason
    const word = RECONCILE_WORDS[outcome === 'probe_failed' ? 'in_doubt' : outcome]
    const again =
      next_look_at === null ? words`` : words`; next useful look: ${style().exact(Date.parse(next_look_at))}`
    const line = words`${show(operation_id)}: ${safe(word)}: ${show(reason, { max: 300 })}${again}`
    if (outcome === 'confirmed' || outcome === 'not_executed' || outcome === 'settled') settled++
    lines.push(line)
    tell(line)
  }
  return over(words`${settled} of ${ids.length} settled by what the outside systems say`, lines, ids)
}

/** Puts a decision into the plan instead of carrying it out. */
export async function stage(world: World, foreseen: Foreseen): Promise<Over> {
  const { wish, subjects } = carriedOf(foreseen)
  const { show, planPath } = world
  if (wish.kind !== 'ask') return over(words`this cannot be put into a plan`, [], [])
  const { ask } = wish
  try {
    return await world.withLedgerForReading(async ledger => {
      const items = []
      for (const { id, version } of subjects)
        items.push(
          (await ledger.planned(id, { ...ask, how: { ...ask.how, expectVersion: version } } as Ask)).item,
        )
      const { end, replaced } = await appendToPlan(planPath, { head: await ledger.planHead(), items })
      const lines = [
        words`${show(planPath)} holds ${counted(end.decisions, 'decision')} now; nothing was written to the ledger`,
        ...(replaced.length === 0 ? [] : [words`${replaced.length} took the place of an earlier one`]),
        words`to look at it: agent-ledger apply ${show(planPath)} --dry-run`,
      ]
      return over(
        words`${items.length} put into the plan`,
        lines,
        subjects.map(({ id }) => id),
      )
    })
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return refusedOver(world, error, { wish, subjects })
  }
}

function over(title: Safe, lines: readonly Safe[], decided: readonly string[]): Over {
  return { title, lines, decided, isRefused: false, undo: null }
}

/** A refusal, with what the person saw beside what is there now. */
function refusedOver({ show }: World, error: LedgerError, { subjects }: Carried): Over {
  const { message, hint, facts = {}, id } = error
  const seen = subjects.find(one => one.id === id)
  const isConflict = error.code === 'conflict'
  const lines: Safe[] = []
  if (isConflict && seen !== undefined && facts.you_saw === undefined)
    lines.push(words`you saw: ${safe(seen.status)} (version ${seen.version})`)
  for (const [name, fact] of Object.entries(facts))
    for (const one of Array.isArray(fact) ? fact : [fact])
      lines.push(words`${show(name.replaceAll('_', ' '))}: ${show(factWords(name, one), { max: 400 })}`)
  lines.push(show(hint))
  const title = isConflict
    ? words`Not done, somebody was here before: ${show(message)}`
    : words`Not done: ${show(message)}`
  return { title, lines, decided: [], isRefused: true, undo: null }
}

function factWords(name: string, fact: unknown): string {
  if (typeof fact !== 'string') return JSON.stringify(fact)
  return name === 'by' ? actorWords(fact) : fact
}
