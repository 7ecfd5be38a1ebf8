import { type JudgedPhase, judgePhases, type Phase, type SeenNow } from '../core/phase.js'
import type { Task } from '../core/task.js'
import type { Place } from '../sources/workspace.js'

/** The phases of a task, each held against what is in its workspace now. */
export async function judgedPhases(
  { workspace }: Pick<Task, 'workspace'>,
  phases: readonly Phase[],
  { follow }: Pick<Place, 'follow'>,
): Promise<readonly JudgedPhase[]> {
  const seen = new Map<string, SeenNow>()
  for (const phase of phases) {
    const place = { workspace: workspaceOf(phase) ?? workspace, follow }
    seen.set(phase.name, await seenNow(phase, place))
  }
  return judgePhases(phases, seen)
}

export async function seenNow(
  { input, artifact }: Pick<Phase, 'input' | 'artifact'>,
  place: Place,
): Promise<SeenNow> {
  // it starts git and walks folders: what is loaded for that costs a report of no phases 5 ms
  const { digestOfRevision, revisionOf } = await import('../sources/workspace.js')
  const made = input === null ? NOTHING : await revisionOf(input, place)
  const left = artifact === null ? NOTHING : await revisionOf(artifact, place)
  return {
    input_revision: made.revision,
    artifact_digest: digestOfRevision(left.revision),
    problem: made.problem ?? left.problem,
  }
}

const NOTHING = { revision: null, problem: null }

/** The folder it ran in, where it was told of one. */
function workspaceOf({ evidence }: Phase): string | null {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return null
  const found: unknown = Reflect.get(evidence, 'workspace')
  return typeof found === 'string' ? found : null
}
