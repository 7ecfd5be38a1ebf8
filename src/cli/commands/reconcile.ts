import { setTimeout as sleep } from 'node:timers/promises'
import {
  RECONCILE_FIELDS,
  type ReconcileBody,
  type ReconcileOutcome,
  reconcileExitCode,
} from '../../core/documents/reconcile.js'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { STALL_RULE_IDS } from '../../core/stall/rule.js'
import type { ReconcileFilter, ReconcileOptions } from '../../ledger/reconciling.js'
import type { Ledger } from '../../ledger.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { isUnreachable } from '../look-on.js'
import { pastMoment } from '../moments.js'
import { withProgress } from '../output/progress.js'
import {
  choice,
  duration,
  flag,
  remaining,
  someText,
  time,
  unfit,
  value,
  wholeNumber,
} from '../parameters.js'
import { perSecond } from '../reconcile/rate.js'
import { printResult, summaryOf } from '../reconcile/results.js'

export const reconcile = command({
  name: 'reconcile',
  chapter: 'Decide',
  summary: 'ask the outside systems whether operations took effect, by the probes of their tools',
  details: [
    'Nothing is ever sent again by it: it reads, judges by the rules of docs/reconcile.md, and writes the verdict down with what it saw. What the answers do not say stays in doubt, with the reason.',
    'Interrupted and run again it goes on: what is settled is not asked about, and what can say nothing new yet waits for its time, unless --now is given.',
    'Exit 0: all settled. 10: some still in doubt. 6: some could not be asked.',
  ],
  args: { operations: remaining('the operations', { completes: 'operation' }) },
  options: {
    all: flag('everything in doubt, and what a service works on'),
    task: value('task', 'those of this task', someText, { completes: 'task' }),
    tool: value('tool', 'those of this tool', someText),
    rule: value('rule', 'those stalled by this rule', choice(STALL_RULE_IDS), { choices: STALL_RULE_IDS }),
    cause: value('cause', 'those that failed of this, as list --group-by cause names it', someText),
    externalId: value('value|kind=value', 'those that made or touched this object', someText),
    since: value('time', 'those changed since', time),
    olderThan: value('duration', 'those written down longer ago', duration),
    dryRun: flag('print what would be asked; nothing is sent and nothing is written'),
    now: flag('ask although an earlier look said that one before its time says nothing new'),
    jobs: value('n', 'operations asked about at the same time, at most 100', wholeNumber(1), {
      fallback: '4',
    }),
    rate: value('n/s', 'at most so many begun in a time: 10/s, 100/m', perSecond, { fallback: 'no limit' }),
    watch: flag('go on until nothing is in doubt, looking when a look can say something new'),
  },
  examples: [
    { line: 'agent-ledger reconcile ticket-17', does: 'ask about one' },
    { line: 'agent-ledger reconcile --all --dry-run', does: 'the requests, without sending them' },
    { line: 'agent-ledger reconcile --all --tool create_issue --rate 2/s', does: 'all of a tool, slowly' },
    { line: 'agent-ledger reconcile --all --watch --jsonl', does: 'in the background, until all is settled' },
  ],
  documents: ['reconcile@1'],
  fields: RECONCILE_FIELDS,
  writes: true,
})

const INTERRUPTED = 130

export async function run(given: Given<typeof reconcile>, deps: Deps): Promise<number> {
  if (given.jobs !== undefined && given.jobs > MOST_JOBS)
    throw unfit('--jobs', String(given.jobs), `at most ${MOST_JOBS} are asked about at the same time`)
  const which = whichOf(given, deps)
  const told = new Map<string, string>()
  if (given.dryRun)
    return deps.withLedgerForReading(async ledger =>
      exitCodeOf(
        await once({ ledger, which, told, bodies: ids => ledger.wouldAsk(ids, { early: given.now }) }, deps),
      ),
    )
  let seen: string | undefined
  let isInTrouble = false
  for (;;) {
    let bodies: readonly Kept[] = []
    try {
      // Each round opens it anew: it may have been moved away in between, and come back.
      bodies = await deps.withLedger(async ledger => {
        if (seen !== undefined && seen !== ledger.ledgerId) throw isAnother(ledger)
        if (isInTrouble) await deps.say(words`${deps.show(ledger.location)} is there again`)
        seen = ledger.ledgerId
        isInTrouble = false
        return once(
          { ledger, which, told, bodies: ids => ledger.reconcile(ids, askingOf(given, deps)) },
          deps,
        )
      })
      if (deps.signal.aborted) return INTERRUPTED
      const code = exitCodeOf(bodies)
      if (!given.watch || code === 0 || bodies.every(waitsForPerson)) return code
    } catch (error) {
      if (!given.watch || seen === undefined || !isUnreachable(error)) throw error
      if (!isInTrouble) await deps.say(words`waiting for it: ${deps.show(error.message, { max: 400 })}`)
      isInTrouble = true
    }
    await pause(bodies, isInTrouble ? SOONEST_MS : USUAL_MS, deps)
    if (deps.signal.aborted) return INTERRUPTED
  }
}

/** What was named or chosen in one ledger is not asked about in another. */
function isAnother({ location }: Ledger): LedgerError {
  return new LedgerError('conflict', `another ledger stands at ${location} now`, {
    path: location,
    hint: 'Put back the one that was there, or begin anew with this one.',
  })
}

type Which = readonly string[] | ReconcileFilter

interface Round {
  readonly ledger: Pick<Ledger, 'reconcilable' | 'location'>
  /** asks about them, or says what would be asked */
  readonly bodies: (ids: readonly string[]) => AsyncGenerator<ReconcileBody>
  readonly which: Which
  /** what was printed of each in the rounds before: with --watch only news are printed */
  readonly told: Map<string, string>
}

/** What the summary, the exit code and the next look need of a result. */
type Kept = Pick<ReconcileBody, 'outcome' | 'waits_for' | 'next_look_at'>

async function once({ ledger, which, told, bodies }: Round, deps: Deps): Promise<readonly Kept[]> {
  const ids = isIds(which) ? which : await ledger.reconcilable(which)
  const counts = new Map<ReconcileOutcome, number>()
  const kept: Kept[] = []
  const asked = bodies(ids)
  await withProgress('operations', deps, async progress => {
    for await (const body of asked) {
      const { outcome, waits_for, next_look_at } = body
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      kept.push({ outcome, waits_for, next_look_at })
      progress.at(kept.length, ids.length)
      const news = newsOf(body)
      const before = told.get(body.operation_id)
      // That it is not its time yet is no news of what was told already.
      if (before === news || (before !== undefined && outcome === 'not_yet')) continue
      told.set(body.operation_id, news)
      if (deps.io.stdout.isTerminal) await progress.clear()
      if (!(await printResult(body, ledger.location, deps))) break
    }
  })
  if (ids.length === 0) await deps.say(words`nothing is in doubt`)
  if (deps.signal.aborted)
    await deps.say(
      words`interrupted: ${ids.length - kept.length} of ${ids.length} were not asked about; run it again`,
    )
  else if (ids.length > 1) await deps.say(summaryOf(counts, ids.length))
  return kept
}

function askingOf({ now, jobs, rate }: Given<typeof reconcile>, { signal }: Deps): ReconcileOptions {
  return {
    early: now,
    signal,
    ...(jobs === undefined ? {} : { concurrency: jobs }),
    ...(rate === undefined ? {} : { everyMs: rate.everyMs }),
  }
}

function exitCodeOf(bodies: readonly Kept[]): number {
  return reconcileExitCode(bodies.map(({ outcome }) => outcome))
}

/** What makes a result worth a line of its own in a later round; that a moment moved on does not. */
function newsOf({
  outcome,
  rule,
  waits_for,
  external_ids,
  candidates,
  facts,
  reason,
}: ReconcileBody): string {
  const words = outcome === 'not_yet' || waits_for === 'time' ? '' : reason
  return JSON.stringify([outcome, rule, waits_for, external_ids, candidates, facts, words])
}

/** As many as the library takes. */
const MOST_JOBS = 100

/** Shortest and longest time between two rounds of --watch. */
const SOONEST_MS = 1_000
const USUAL_MS = 30_000

async function pause(bodies: readonly Kept[], usualMs: number, { clock, signal, say }: Deps): Promise<void> {
  const waits = bodies.flatMap(({ next_look_at, outcome, waits_for }) => {
    if (outcome === 'settled' || waits_for === null || waits_for === 'person') return []
    return [next_look_at === null ? usualMs : Date.parse(next_look_at) - clock()]
  })
  // Nothing is known where the ledger could not be read: it may be back in a moment.
  const waitMs = bodies.length === 0 ? usualMs : Math.max(SOONEST_MS, Math.min(...waits, 3_600_000))
  if (bodies.length > 0) await say(words`looking again in ${Math.ceil(waitMs / 1_000)} s`)
  await sleep(waitMs, undefined, { signal }).catch(() => undefined)
}

function waitsForPerson({ outcome, waits_for }: Kept): boolean {
  return outcome === 'not_asked' || waits_for === 'person' || waits_for === null
}

function whichOf(given: Given<typeof reconcile>, { now }: Deps): Which {
  const { operations, all, task, tool, rule, cause, externalId, since, olderThan } = given
  const isFiltered = [task, tool, rule, cause, externalId, since, olderThan].some(one => one !== undefined)
  if (operations.length > 0) {
    if (all || isFiltered)
      throw new LedgerError('usage', 'operations by name and a choice of many exclude each other', {
        hint: 'Name operations, or give --all with filters.',
      })
    return operations
  }
  if (!all)
    throw new LedgerError('usage', 'nothing to ask about was named', {
      hint: isFiltered
        ? 'Filters choose among all: give --all with them.'
        : 'Name operations, or give --all: everything in doubt. --dry-run shows what would be asked.',
    })
  return {
    ...(task === undefined ? {} : { taskId: task }),
    ...(tool === undefined ? {} : { tool }),
    ...(rule === undefined ? {} : { rule }),
    ...(cause === undefined ? {} : { cause }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(since === undefined ? {} : { since: pastMoment(since, now) }),
    ...(olderThan === undefined ? {} : { before: now - olderThan }),
  }
}

function isIds(which: Which): which is readonly string[] {
  return Array.isArray(which)
}
