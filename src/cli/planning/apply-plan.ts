import { resolve } from 'node:path'
import { openPlan, type PlanFile } from '../../config/plan-file.js'
import { actorWords } from '../../core/actor.js'
import { counted } from '../../core/counted.js'
import { decisionCode } from '../../core/decision-code.js'
import { APPLY_FIELDS, type ApplyBody } from '../../core/documents/apply.js'
import { standing } from '../../core/documents/decision.js'
import type { PlanItem } from '../../core/documents/plan.js'
import { ERROR_RULES, LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { type Applied, decisionWords } from '../../ledger/planning.js'
import type { LedgerForReading } from '../../ledger.js'
import type { Given } from '../command.js'
import type { apply } from '../commands/apply.js'
import { confirmOnRecord } from '../deciding/confirm-on-record.js'
import { type Opened, withLedger, withLedgerForReading } from '../deciding/opened.js'
import type { Deps } from '../deps.js'
import { chosenFields } from '../output/fields.js'
import { withProgress } from '../output/progress.js'
import { printApplied } from './applied.js'

type Options = Given<typeof apply>

/** Carries a plan out, or tells what that would do. The plan is checked whole before the ledger is opened. */
export async function applyPlan(given: Options, deps: Deps): Promise<number> {
  chosenFields(deps.global.fields, APPLY_FIELDS)
  const plan = await openPlan(resolve(deps.io.cwd, given.plan))
  try {
    requireAsked(plan, given)
    if (given.dryRun)
      return await withLedgerForReading(deps, async opened => {
        requireThisLedger(plan, given, opened)
        const code = await each(plan, opened, item => opened.ledger.foretell(item))
        await deps.say(words`dry run: nothing was written`)
        return code
      })
    return await withLedger(deps, async opened => {
      requireThisLedger(plan, given, opened)
      if (plan.end.decisions > 0) await ask(plan, given, opened)
      return each(plan, opened, item => opened.ledger.apply(item))
    })
  } finally {
    await plan.close()
  }
}

function requireAsked({ end }: PlanFile, { plan: path, digest, expect }: Options): void {
  if (digest !== undefined && digest !== end.digest)
    throw new LedgerError(
      'conflict',
      `${path} is the plan ${end.digest}, not ${digest}; nothing was written`,
      {
        path,
        hint: 'Look at this plan, and name its digest.',
      },
    )
  if (expect !== undefined && expect !== end.decisions)
    throw new LedgerError(
      'conflict',
      `${path} holds ${counted(end.decisions, 'decision')}, ${expect} were expected; nothing was written`,
      {
        path,
        hint: 'Look at the plan again, then name how many it holds.',
      },
    )
}

function requireThisLedger(
  { head }: PlanFile,
  { plan: path }: Options,
  { ledger }: Opened<LedgerForReading>,
): void {
  if (head.ledger_id === ledger.ledgerId) return
  throw new LedgerError(
    'refused',
    `${path} was made of another ledger (${head.ledger_id}); nothing was written`,
    {
      path,
      rule: 'plan_of_this_ledger',
      hint: 'Name the ledger it was made of with --ledger.',
    },
  )
}

/** Decisions shown before the question; the rest is counted. */
const SHOWN = 20

async function ask(plan: PlanFile, { plan: path }: Options, opened: Opened): Promise<void> {
  const { deps } = opened
  const { show } = deps
  const { decisions, digest } = plan.end
  const code = show(decisionCode(digest, decisions))
  const count = counted(decisions, 'decision')
  if (!deps.global.yes && deps.io.canAsk) {
    const lines = [
      words`${count}, planned by ${show(actorWords(plan.head.made_by))} ${deps.times.relative(Date.parse(plan.head.made_at))}:   code ${code}`,
    ]
    for await (const item of plan.items()) {
      if (lines.length > SHOWN) break
      const { operation_id, decision, seen, about } = item
      lines.push(
        words`  ${show(operation_id)}  ${show(seen.status)} → ${show(decisionWords(decision))}, ${show(about.tool)}, of ${show(about.task_id)}: ${show(decision.reason, { max: 80 })}`,
      )
    }
    if (decisions > SHOWN) lines.push(words`  and ${decisions - SHOWN} more; --dry-run shows all`)
    await deps.say(join(lines, '\n'))
  }
  const facts = { plan: digest, decisions }
  const label = words`Apply ${count} of ${show(path)}`
  await confirmOnRecord(opened, { label, about: null, decision: 'apply', facts, code })
}

async function each<L extends LedgerForReading>(
  plan: PlanFile,
  { ledger, deps }: Opened<L>,
  work: (item: PlanItem) => Promise<Applied>,
): Promise<number> {
  const counts: Record<ApplyBody['outcome'], number> = { done: 0, already: 0, would_be_done: 0, not_done: 0 }
  let changed = 0
  let begun = 0
  const isDone = await withProgress('decisions', deps, async progress => {
    for await (const item of plan.items()) {
      if (deps.signal.aborted) {
        await deps.say(
          words`interrupted: ${plan.end.decisions - begun} of ${plan.end.decisions} were not begun; run it again`,
        )
        return false
      }
      begun++
      progress.at(begun, plan.end.decisions)
      const body = bodyOf(item, await work(item))
      counts[body.outcome]++
      if (body.error?.code === 'conflict') changed++
      if (deps.io.stdout.isTerminal) await progress.clear()
      await printApplied(body, ledger.location, deps)
    }
    return true
  })
  if (!isDone) return INTERRUPTED
  await deps.say(words`${counted(plan.end.decisions, 'decision')}: ${summary(counts, deps)}`)
  if (counts.not_done === 0) return 0
  const { conflict, some_failed } = ERROR_RULES
  return changed === plan.end.decisions ? conflict.exitCode : some_failed.exitCode
}

const INTERRUPTED = 130

function summary(counts: Readonly<Record<string, number>>, { show }: Deps): Safe {
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  return parts.length === 0
    ? words`nothing to do`
    : join(
        parts.map(([outcome, count]) => words`${count} ${show(outcome.replaceAll('_', ' '))}`),
        ', ',
      )
}

function bodyOf({ decision_id, operation_id, decision, seen }: PlanItem, applied: Applied): ApplyBody {
  const base = { decision_id, operation_id, decision: decisionWords(decision), seen: standing(seen) }
  if (applied.outcome !== 'not_done') {
    const { outcome, after, undo } = applied
    return { ...base, outcome, now: standing(after), changed: null, undo, error: null }
  }
  const { now, changed, error } = applied
  const { code, message, rule = null, hint, exitCode } = error
  return {
    ...base,
    outcome: 'not_done',
    now: now === null ? null : standing(now),
    changed,
    undo: null,
    error: { code, message, rule, hint, exit_code: exitCode },
  }
}
