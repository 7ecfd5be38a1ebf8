import { adviseOn } from '../../core/advice.js'
import type { CheckpointThread, CheckpointWarning } from '../../core/checkpoint.js'
import { type History, knownTaskIds, readHistory } from './history.js'
import { isNumberedQuestion, recordsOf } from './interrupts.js'
import { type Level, loadLevel } from './level.js'
import { unreadableLevel } from './level-warnings.js'
import { createLookup } from './lookup.js'
import { type MapContext, type Mapped, mapLevel, type PlannedLevel } from './map.js'
import { planTasks } from './plan.js'
import type { ThreadRows } from './rows.js'
import { INTERRUPT } from './standing.js'
import { getStateNext, isVersionDependent } from './state-next.js'
import type { Xxh128 } from './task-ids.js'
import { threadWarnings } from './thread-warnings.js'
import { warning } from './warnings.js'

export interface ThreadReading {
  readonly thread: CheckpointThread
  readonly language: 'javascript' | 'python' | 'unknown'
  readonly taskIds: ReadonlySet<string>
}

export interface ThreadRequest {
  readonly xxh128: Xxh128
  readonly nodeNames: readonly string[]
  /** what the file itself makes a person stumble over, the same for every thread in it */
  readonly fileWarnings: readonly CheckpointWarning[]
}

/** One thread as `checkpoint@1` shows it, before the ledger's operations are known. */
export function readThread(rows: ThreadRows, request: ThreadRequest): ThreadReading {
  return readThreadFully(rows, request).reading
}

/** As `readThread`, with the graphs it was read from, the outermost first. */
export function readThreadFully(
  rows: ThreadRows,
  { xxh128, nodeNames, fileWarnings }: ThreadRequest,
): { readonly reading: ThreadReading; readonly levels: readonly PlannedLevel[] } {
  const context: MapContext = { rows, xxh128, lookup: createLookup(rows, nodeNames) }
  const loaded = loadLevel(rows, '', context)
  const taskIds = knownTaskIds(rows)
  if (loaded === undefined || !loaded.isReadable) {
    const found = loaded
      ? unreadableLevel(loaded)
      : warning(
          'checkpoint_missing',
          'the thread has writes or subgraphs, and no checkpoint of its outermost graph',
        )
    const thread = unknownThread(rows.threadId, loaded?.checkpointId ?? null, [found, ...fileWarnings])
    return { reading: { thread, language: 'unknown', taskIds }, levels: [] }
  }
  const { level } = loaded
  const mapped = mapLevel(level, context)
  for (const { tasks } of mapped.levels)
    for (const { taskId } of tasks) if (taskId !== null) taskIds.add(taskId)
  const history = readHistory(rows, { checkpointId: level.checkpoint.id, step: level.metadata.step })
  const thread = describe({ context, level, mapped, history, fileWarnings })
  return { reading: { thread, language: level.language, taskIds }, levels: mapped.levels }
}

interface Findings {
  readonly context: MapContext
  readonly level: Level
  readonly mapped: Mapped
  readonly history: History
  readonly fileWarnings: readonly CheckpointWarning[]
}

function describe({ context, level, mapped, history, fileWarnings }: Findings): CheckpointThread {
  const { rows, lookup } = context
  const isNewPython = mapped.levels.some(({ level: inner, tasks }) =>
    tasks.some(task => isNumberedQuestion(task, inner)),
  )
  const get_state_next = getStateNext(level, lookup, isNewPython)
  const interrupts = [...mapped.interrupts, ...discarded(rows, history)]
  const warnings = distinct([
    ...threadWarnings({
      level,
      mapped,
      history,
      interrupts,
      nextIsEmpty: get_state_next.length === 0,
      nextDependsOnVersion: isVersionDependent(level, lookup, isNewPython),
      setAsideNodes: setAsideNodes(context, history),
      persistent: rows.persistentNamespaces(),
    }),
    ...mapped.warnings,
    ...fileWarnings,
  ])
  const facts = {
    thread_id: rows.threadId,
    checkpoint_id: level.checkpoint.id,
    step: level.metadata.step,
    ts: isoUtc(level.checkpoint.ts),
    get_state_next,
    will_run: mapped.willRun,
    enclosing: mapped.enclosing,
    saved: mapped.saved,
    interrupts,
    errors: mapped.errors,
    warnings,
    replay_risk: [],
  }
  return { ...facts, advice: adviseOn(facts) }
}

// Several graphs of one thread may have the same to say.
function distinct(warnings: readonly CheckpointWarning[]): CheckpointWarning[] {
  return warnings.filter(
    ({ code, message }, index) =>
      warnings.findIndex(other => other.code === code && other.message === message) === index,
  )
}

function discarded(rows: ThreadRows, { abandonedQuestions }: History): Mapped['interrupts'] {
  return abandonedQuestions.flatMap(({ checkpointId, taskId }) =>
    rows
      .writes('', checkpointId)
      .filter(row => row.taskId === taskId && row.channel === INTERRUPT)
      .flatMap(recordsOf)
      .map(({ id, value }) => ({ id, node: null, value, state: 'discarded' as const })),
  )
}

/** The nodes that were pending at the checkpoint which a newer input or a person's update went on from. */
function setAsideNodes({ rows, xxh128, lookup }: MapContext, { setAside }: History): string[] {
  if (setAside === undefined) return []
  const loaded = loadLevel(rows, '', { xxh128, checkpointId: setAside.checkpointId })
  if (!loaded?.isReadable) return []
  return planTasks(loaded.level, lookup, 'ignore')
    .filter(({ standing }) => standing !== 'saved')
    .map(({ node }) => node)
}

// JavaScript writes `…Z`, Python `…+00:00` with microseconds; shown alike.
function isoUtc(ts: string | null): string | null {
  const at = ts === null ? Number.NaN : Date.parse(ts)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** A thread that the file's index names and its table does not hold: the file is damaged there, not everywhere. */
export function lostThread(threadId: string, fileWarnings: readonly CheckpointWarning[]): ThreadReading {
  const found = warning(
    'checkpoint_unreadable',
    'the index of the file names this thread and its rows are not found: the file is damaged',
  )
  return {
    thread: unknownThread(threadId, null, [found, ...fileWarnings]),
    language: 'unknown',
    taskIds: new Set(),
  }
}

function unknownThread(
  thread_id: string,
  checkpoint_id: string | null,
  warnings: readonly CheckpointWarning[],
): CheckpointThread {
  const facts = {
    thread_id,
    checkpoint_id,
    step: null,
    ts: null,
    get_state_next: [],
    will_run: [],
    enclosing: [],
    saved: [],
    interrupts: [],
    errors: [],
    warnings,
    replay_risk: [],
  }
  return { ...facts, advice: adviseOn(facts) }
}
