import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FirstLines, firstLines } from '../../config/first-lines.js'
import { planLine, writePlan } from '../../config/stage-plan.js'
import { counted } from '../../core/counted.js'
import { type PlanEnd, type PlanHead, type PlanItem, planDigest } from '../../core/documents/plan.js'
import { ERROR_RULES, isLedgerError, LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import type { LedgerForReading } from '../../ledger.js'
import type { Given } from '../command.js'
import type { plan } from '../commands/plan.js'
import { confirm } from '../confirm.js'
import type { Deps } from '../deps.js'
import { createBuffer } from '../output/buffer.js'
import { type Wanted, type WantedOf, withWanted } from './decisions.js'

type Options = Given<typeof plan>

/** Where the lines of a plan go. */
interface Sink {
  readonly add: (item: PlanItem) => Promise<void>
  readonly close: () => Promise<PlanEnd>
  readonly giveUp: () => Promise<void>
}

/** Freezes the decisions asked for. 0 when all were, 6 when some would be refused now and were left out. */
export function makePlan(given: Options, deps: Deps): Promise<number> {
  return withWanted(given, deps, wanted => freezeAll(wanted, given, deps))
}

async function freezeAll(wanted: WantedOf, given: Options, deps: Deps): Promise<number> {
  const path = given.output === undefined ? undefined : resolve(deps.io.cwd, given.output)
  return deps.withLedgerForReading(async ledger => {
    if (path !== undefined && existsSync(path))
      await confirm({ decision: words`Replace ${deps.show(path)}` }, deps)
    const head = await ledger.planHead()
    const sink = path === undefined ? stdoutSink(head, deps) : await writePlan(path, head)
    let counts: Counts
    try {
      counts = await freeze(wanted(ledger), { ledger, sink, deps })
      requireSome(counts, given)
    } catch (error) {
      await sink.giveUp()
      throw error
    }
    const end = await sink.close()
    await tell({ end, path: given.output, counts }, deps)
    return counts.leftOut > 0 ? ERROR_RULES.some_failed.exitCode : 0
  })
}

interface Counts {
  readonly chosen: number
  readonly leftOut: number
  readonly first: LedgerError | null
}

async function freeze(
  wanted: AsyncIterable<Wanted> | Iterable<Wanted>,
  { ledger, sink, deps }: { readonly ledger: LedgerForReading; readonly sink: Sink; readonly deps: Deps },
): Promise<Counts> {
  const decided = firstLines()
  let chosen = 0
  let leftOut = 0
  let first: LedgerError | null = null
  for await (const one of wanted) {
    if (deps.signal.aborted) throw new LedgerError('declined', 'interrupted; no plan was made')
    chosen++
    const { item, refusal } = await frozen(ledger, { ...one, nth: chosen }, decided)
    if (item !== null && refusal === null) {
      await sink.add(item)
      continue
    }
    leftOut++
    first ??= refusal
    await deps.say(
      words`left out: ${deps.show(one.operationId)}: ${deps.show(refusal?.message ?? '')}; ${deps.show(refusal?.hint ?? '')}`,
    )
  }
  return { chosen, leftOut, first }
}

async function frozen(
  ledger: LedgerForReading,
  { operationId, ask, nth }: Wanted & { readonly nth: number },
  decided: FirstLines,
): Promise<{ readonly item: PlanItem | null; readonly refusal: LedgerError | null }> {
  if (decided.of(operationId) !== undefined) {
    const hint = 'Keep one decision for each operation.'
    return {
      item: null,
      refusal: new LedgerError('conflict', 'it is decided before in this plan', { id: operationId, hint }),
    }
  }
  decided.keep(operationId, nth)
  try {
    return await ledger.planned(operationId, ask)
  } catch (error) {
    if (isLedgerError(error) && (error.code === 'not_found' || error.code === 'invalid_input'))
      return { item: null, refusal: error }
    throw error
  }
}

function requireSome({ chosen, leftOut, first }: Counts, { expect }: Options): void {
  if (chosen === 0)
    throw new LedgerError('not_found', 'nothing in doubt is chosen by that', {
      hint: 'See what there is: agent-ledger list --unknown, with the same --task, --tool or --cause.',
    })
  if (expect !== undefined && expect !== chosen)
    throw new LedgerError('conflict', `${chosen} are chosen, ${expect} were expected; no plan was made`, {
      hint: 'Look at the list again, then name how many there are.',
    })
  if (leftOut === chosen && first !== null)
    throw new LedgerError(first.code, `no plan was made: ${first.message}`, {
      ...(first.id === undefined ? {} : { id: first.id }),
      ...(first.rule === undefined ? {} : { rule: first.rule }),
      hint: first.hint,
    })
}

async function tell(
  {
    end,
    path,
    counts,
  }: { readonly end: PlanEnd; readonly path: string | undefined; readonly counts: Counts },
  deps: Deps,
): Promise<void> {
  const count = counted(end.decisions, 'decision')
  const rest = counts.leftOut === 0 ? words`` : words`, ${counts.leftOut} left out`
  const where = path === undefined ? words`` : words` in ${deps.show(path)}`
  await deps.say(
    words`${count}${where}${rest}; digest ${deps.show(end.digest)}; nothing was written to the ledger`,
  )
  if (path !== undefined)
    await deps.say(words`what it would do: ${deps.show(ledgerCommand('apply', ['--dry-run'], path))}`)
}

/** Until its last line is out, what stands on stdout is no plan: `apply` refuses it. */
function stdoutSink(head: PlanHead, deps: Deps): Sink {
  const out = createBuffer(deps.io.stdout)
  const digest = planDigest(head)
  let isBegun = false
  const begin = async () => {
    if (!isBegun) await out.write(`${planLine(head)}\n`)
    isBegun = true
  }
  return {
    add: async item => {
      await begin()
      digest.add(item.digest)
      await out.write(`${planLine(item)}\n`)
    },
    close: async () => {
      await begin()
      const end = digest.end()
      await out.write(`${planLine(end)}\n`)
      await out.end()
      return end
    },
    giveUp: async () => {
      await out.end()
    },
  }
}
