import { adviseOn, type ThreadFacts } from '../../core/advice.js'
import type {
  CheckpointError,
  CheckpointLanguage,
  CheckpointThread,
  SavedTask,
  WillRun,
} from '../../core/checkpoint.js'
import { didYouMean } from '../../core/did-you-mean.js'
import { LedgerError } from '../../core/errors.js'
import { isoTime } from '../../core/iso-time.js'
import { MOST_THREADS } from '../most-threads.js'
import type { CheckpointReading, ReadOptions } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { type Call, keyOf, toolOf } from './call.js'
import { callWarnings } from './call-warnings.js'
import { callsOf } from './calls.js'
import { failureText } from './failure.js'
import { inputFiles } from './files.js'
import { closedAs, namespaceOf, safeText, threadIdOf, typeOf } from './identity.js'
import { requireSomething } from './nothing-read.js'
import { judge } from './outcome.js'
import { overviewOf } from './overview.js'
import { newestOf } from './records.js'
import { currentRunId, type Run } from './run.js'
import { runWarnings, wordOf } from './run-warnings.js'
import type { TemporalWarning } from './warnings.js'

/**
 * Each workflow as a thread: what the server, or a reset to the last workflow task, would run again. Of several runs of
 * one workflow the newest is the thread. Throws `ledger_unreadable`, or `not_found` for a workflow that is not there.
 */
export async function read(file: SourceFile, options: ReadOptions): Promise<CheckpointReading> {
  const files = inputFiles(file)
  const overview = await overviewOf(files)
  requireSomething(file, overview)
  const { chosen, leftOut } = chosenRuns(overview.runs, file, options.threadId)
  const found = new Map<Run, Told>()
  let gathered: Gathered | null = null
  // A run's calls come together: what is gathered of it is put into words before the next one's.
  for await (const { run, call } of callsOf(files, overview.runs)) {
    if (!chosen.has(run)) continue
    if (gathered !== null && gathered.run !== run)
      found.set(gathered.run, toldOf(gathered, overview.warnings))
    if (gathered?.run !== run) gathered = nothingOf(run)
    gather(gathered, call, options)
  }
  if (gathered !== null) found.set(gathered.run, toldOf(gathered, overview.warnings))
  const told = [...chosen].map(run => found.get(run) ?? toldOf(nothingOf(run), overview.warnings))
  return {
    document: {
      source: 'temporal',
      language: languageOf(chosen),
      saver: 'history',
      threads: told.map(({ thread }) => thread),
      left_out: leftOut,
    },
    taskIds: new Map(told.map(({ thread, keys }) => [thread.thread_id, keys])),
  }
}

interface Told {
  readonly thread: CheckpointThread
  readonly keys: ReadonlySet<string>
}

function toldOf(gathered: Gathered, warnings: readonly TemporalWarning[]): Told {
  return { thread: threadOf(gathered, warnings), keys: gathered.keys }
}

interface Gathered {
  readonly run: Run
  readonly keys: Set<string>
  readonly willRun: WillRun[]
  readonly pending: string[]
  readonly saved: SavedTask[]
  readonly errors: CheckpointError[]
  /** names of what may have taken effect; kept short */
  readonly unknown: { count: number; names: string[] }
  readonly warnings: TemporalWarning[]
}

function nothingOf(run: Run): Gathered {
  return {
    run,
    keys: new Set(),
    willRun: [],
    pending: [],
    saved: [],
    errors: [],
    unknown: { count: 0, names: [] },
    warnings: [],
  }
}

interface Chosen {
  readonly chosen: ReadonlySet<Run>
  /** workflows that are too many to be told of */
  readonly leftOut: number
}

/** The newest run of each workflow, or the one that is named by its workflow or its run. */
function chosenRuns(runs: readonly Run[], { path }: SourceFile, wanted: string | undefined): Chosen {
  const byThread = new Map<string, Run>()
  for (const run of runs) {
    const id = threadIdOf(run)
    const other = byThread.get(id)
    byThread.set(id, other === undefined ? run : newestOf([other, run]))
  }
  if (wanted === undefined) return neediest([...byThread.values()])
  const chosen = byThread.get(wanted) ?? runs.find(run => currentRunId(run) === wanted)
  if (chosen !== undefined) return { chosen: new Set([chosen]), leftOut: 0 }
  throw new LedgerError(
    'not_found',
    `${path} has no workflow ${wanted}${didYouMean(wanted, byThread.keys())}`,
    {
      id: wanted,
      path,
      hint: 'Leave --thread out to see all workflows of the file.',
    },
  )
}

/** Those that are open before those that have ended, the newest first; in the order of the file where all have room. */
function neediest(runs: readonly Run[]): Chosen {
  if (runs.length <= MOST_THREADS) return { chosen: new Set(runs), leftOut: 0 }
  const rank = (run: Run) => (closedAs(run) === null ? 0 : 1)
  const sorted = [...runs].sort((a, b) => rank(a) - rank(b) || (b.lastAt ?? 0) - (a.lastAt ?? 0))
  return { chosen: new Set(sorted.slice(0, MOST_THREADS)), leftOut: runs.length - MOST_THREADS }
}

function gather(thread: Gathered, call: Call, options: ReadOptions): void {
  const { run } = thread
  const key = keyOf(call)
  const node = safeText(toolOf(call), 300)
  const outcome = judge(run, call, options)
  thread.keys.add(key)
  thread.warnings.push(...callWarnings(run, call, outcome))
  if (call.pendingActivity !== null) thread.pending.push(node)
  if (outcome.rule.status === 'unknown' && call.end !== null) {
    thread.unknown.count += 1
    if (thread.unknown.names.length < 5) thread.unknown.names.push(`${node} (event ${call.openId})`)
  }
  const failure =
    call.end?.failure ?? call.pendingActivity?.lastFailure ?? call.pendingNexus?.lastFailure ?? null
  const isNews = call.end === null || call.end.id > (run.decision ?? 0)
  if (failure !== null && isNews) thread.errors.push({ node, task_id: key, text: failureText(failure) })
  if (runsAgain(run, call) && outcome.rule.status !== 'not_executed') {
    const reason = failure === null ? 'not_finished' : 'errored'
    thread.willRun.push({ node, task_id: key, namespace: namespaceOf(node, call), reason })
  } else if (call.end !== null && isNews) thread.saved.push({ node, task_id: key })
}

/**
 * While the workflow is open, the server sees to its activities and Nexus operations itself; starts and signals it repeats
 * under one request id. Once it has failed or was ended, a reset to its last workflow task asks again for what that task
 * asked for, and for what was open.
 */
function runsAgain(run: Run, { kind, end, opened }: Call): boolean {
  const how = closedAs(run)
  if (how === null) return end === null && (kind === 'activity' || kind === 'nexus')
  if (how === 'COMPLETED' || how === 'CONTINUED_AS_NEW') return false
  return end === null || (run.decision !== null && opened?.decision === run.decision)
}

function threadOf(thread: Gathered, fileWarnings: readonly TemporalWarning[]): CheckpointThread {
  const { run, pending, saved, errors } = thread
  const will_run = [...thread.willRun, ...ownCode(run)]
  const warnings = [...fileWarnings, ...runWarnings(run), ...thread.warnings, ...standing(thread, will_run)]
  const facts: ThreadFacts = {
    thread_id: threadIdOf(run),
    checkpoint_id: run.decision === null ? null : String(run.decision),
    step: run.decision,
    ts: run.lastAt === null ? null : isoTime(run.lastAt),
    get_state_next: [...new Set(pending)],
    will_run,
    enclosing: [],
    saved,
    interrupts: [],
    errors: [...errors, ...runErrors(run)],
    warnings: warnings.map(({ code, message, where }) => ({
      code,
      message: where === null ? message : `${message} (${where})`,
    })),
    replay_risk: [],
  }
  return { ...facts, advice: adviseOn(facts) }
}

/** The workflow's code itself, where a task of it waits, runs or broke off: local activities run inside it. */
function ownCode(run: Run): WillRun[] {
  if (closedAs(run) !== null) return []
  const isOpen = (run.openTask ?? 0) > Math.max(run.decision ?? 0, run.brokenTask?.id ?? 0)
  const isBroken = (run.brokenTask?.id ?? 0) > (run.decision ?? 0)
  if (!isOpen && !isBroken && run.describe?.workflowTask == null) return []
  return [{ node: typeOf(run), task_id: null, namespace: null, reason: isBroken ? 'errored' : 'following' }]
}

function standing({ run, unknown }: Gathered, willRun: readonly WillRun[]): TemporalWarning[] {
  const how = closedAs(run)
  const name = `workflow ${threadIdOf(run)}`
  if (how === 'COMPLETED' || how === 'CONTINUED_AS_NEW')
    return [{ code: 'run_completed', message: `${name} ${wordOf(how)}: nothing is left to run`, where: null }]
  if (how !== null) {
    const point = run.decision === null ? '' : `, at the latest to event ${run.decision}`
    const message = `${name} ${wordOf(how)}: it goes on only by a reset${point}, or as a new workflow`
    const { count, names } = unknown
    const doubt = `${count} operation${count === 1 ? '' : 's'} may have taken effect: ${names.join(', ')}${count > names.length ? ', …' : ''}`
    return [
      ...(count === 0 ? [] : [{ code: 'outcomes_unknown' as const, message: doubt, where: null }]),
      { code: 'run_ended', message, where: null },
    ]
  }
  if (willRun.length > 0) return []
  const [timer] = run.timers?.open ?? []
  const what = timer === undefined ? 'a signal, an update or a child' : `its timer of event ${timer[0]}`
  return [{ code: 'waits', message: `${name} waits for ${what}; nothing is pending`, where: null }]
}

function runErrors(run: Run): CheckpointError[] {
  const { close, brokenTask, decision } = run
  const task = brokenTask !== null && brokenTask.id > (decision ?? 0) ? brokenTask : null
  const node = typeOf(run)
  return [
    ...(close?.failure == null ? [] : [{ node, task_id: `${close.id}`, text: failureText(close.failure) }]),
    ...(task === null
      ? []
      : [
          {
            node,
            task_id: `${task.id}`,
            text: task.failure === null ? `its workflow task ${task.how}` : failureText(task.failure),
          },
        ]),
  ]
}

const LANGUAGES: ReadonlyMap<string, CheckpointLanguage> = new Map([
  ['temporal-typescript', 'javascript'],
  ['temporal-python', 'python'],
])

function languageOf(runs: ReadonlySet<Run>): CheckpointLanguage {
  const found = new Set([...runs].flatMap(({ sdk }) => LANGUAGES.get(sdk ?? '') ?? []))
  return found.size > 1 ? 'mixed' : ([...found][0] ?? 'unknown')
}
