import type { PhaseState } from '../../core/phase.js'
import { judgedPhases } from '../judged-phases.js'
import type { LookingSession } from './session.js'

export interface PhaseNow {
  readonly task_id: string
  readonly phase: string
  readonly state: PhaseState
  readonly why: readonly string[]
}

/** Phases of open tasks that a new run would not go on from, held against what is in their workspaces now. */
export async function brokenPhases(
  { store }: LookingSession,
  { follow = false }: { readonly follow?: boolean } = {},
): Promise<PhaseNow[]> {
  const phases = await store.openPhases()
  const found: PhaseNow[] = []
  for (const task_id of new Set(phases.map(phase => phase.task_id))) {
    const task = await store.task(task_id)
    const own = phases.filter(phase => phase.task_id === task_id)
    const judged = await judgedPhases({ workspace: task?.workspace ?? null }, own, { follow })
    for (const { phase, state, why } of judged)
      if (state === 'invalid' || state === 'not_checked')
        found.push({ task_id, phase: phase.name, state, why })
  }
  return found
}
