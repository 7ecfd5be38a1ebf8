import type { Describe } from './describe.js'
import { type Entry, entriesOf, type InputFile } from './entries.js'
import { currentRunId, newRun, type Run, takeEvent } from './run.js'
import { splitRuns } from './run-split.js'
import { type TemporalWarning, warning } from './warnings.js'

/** What a first pass over the files finds: their runs in order, and what could not be read. */
export interface Overview {
  readonly runs: readonly Run[]
  readonly warnings: readonly TemporalWarning[]
}

const MOST_DESCRIBED = 10_000
const MOST_WARNINGS = 1000

/** Throws `ledger_unreadable` where a file cannot be read. */
export async function overviewOf(files: readonly InputFile[]): Promise<Overview> {
  const runs: Run[] = []
  const described: Describe[] = []
  const warnings: TemporalWarning[] = []
  const warn = (found: TemporalWarning) => {
    if (warnings.length < MOST_WARNINGS) warnings.push(found)
  }
  const split = splitRuns()
  let last = 0
  for await (const entry of entriesOf(files)) {
    if (entry.kind === 'event') {
      const index = split.runOf(entry)
      const run = runs[index] ?? newRun()
      if (index === runs.length) runs.push(run)
      if (run.events === 0) last = entry.event.id
      takeEvent(run, entry.event, last)
      last = entry.event.id
      run.hasMore = false
    } else if (entry.kind === 'end') {
      split.end(entry)
      const run = runs.at(-1)
      if (run !== undefined) run.hasMore = entry.hasMore
      if (entry.isRaw) warn(warning('raw_history', 'events are there only as protobuf bytes', entry.document))
    } else if (entry.kind === 'describe') {
      if (described.length < MOST_DESCRIBED) described.push(entry.describe)
    } else {
      const run = runs.at(-1)
      if (run !== undefined && entry.code !== 'unknown_document') run.isTorn = true
      warn(skippedWarning(entry))
    }
  }
  for (const describe of described) runs.push(...joined(runs, describe, warn))
  return { runs, warnings }
}

function skippedWarning({ code, why, where }: Entry & { readonly kind: 'skipped' }): TemporalWarning {
  return warning(code, why, where)
}

/** Joins the answer to its run; a run of its own where the file holds no history of it. */
function joined(runs: readonly Run[], describe: Describe, warn: (found: TemporalWarning) => void): Run[] {
  const { runId, workflowId } = describe
  const own = runs.find(run => run.describe === null && runId !== null && currentRunId(run) === runId)
  if (own !== undefined) {
    own.describe = describe
    return []
  }
  const isOther = runs.some(({ events }) => events > 0)
  const name = `${workflowId ?? 'a workflow'}, run ${runId ?? 'unknown'}`
  warn(
    isOther
      ? warning('describe_other_run', `describe answers for ${name}, whose history is not here`, null)
      : warning(
          'describe_alone',
          `there is no history beside the describe answer for ${name}: import both as one folder, or its activities come twice`,
          null,
        ),
  )
  const run = newRun()
  run.describe = describe
  run.mark = runId ?? 'described'
  return [run]
}
