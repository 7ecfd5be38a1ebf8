import type { JsonValue } from './json.js'

export const PHASE_STATUSES = ['running', 'completed', 'failed'] as const
export type PhaseStatus = (typeof PHASE_STATUSES)[number]

/** A phase that another is built on, with what it had left then. */
export interface BasedOn {
  readonly phase: string
  readonly artifact_digest: string | null
}

/** One row of `ledger_phase`. Times are milliseconds since 1970 UTC. */
export interface Phase {
  readonly task_id: string
  readonly name: string
  /** what it is made from: `git:<folder>`, `file:<path>`, `folder:<path>`, `lockfile:<path>`, or any text; null: nothing */
  readonly input: string | null
  /** the revision of that when the phase began; of any other text the text itself */
  readonly input_revision: string | null
  readonly status: PhaseStatus
  /** what it left, in the same words */
  readonly artifact: string | null
  /** `sha256:<hex>` over its revision at the end */
  readonly artifact_digest: string | null
  readonly based_on: readonly BasedOn[]
  /** what it returned */
  readonly result: JsonValue | null
  readonly evidence: JsonValue | null
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
}

/** What is there now. `problem`: it could not be looked at, and why. */
export interface SeenNow {
  readonly input_revision: string | null
  readonly artifact_digest: string | null
  readonly problem: string | null
}

/**
 * `reusable`: revision and artifact are as they were. `invalid`: something is not. `not_checked`: nobody could look, and
 * then it is not reused either.
 */
export const PHASE_STATES = ['reusable', 'running', 'failed', 'invalid', 'not_checked'] as const
export type PhaseState = (typeof PHASE_STATES)[number]

export interface JudgedPhase {
  readonly phase: Phase
  readonly state: PhaseState
  /** every reason; of a reusable one what explains a difference */
  readonly why: readonly string[]
}

interface PhaseRule {
  readonly id: string
  readonly title: string
  readonly state: Exclude<PhaseState, 'reusable'>
  readonly reason: (subject: Subject) => string | null
}

interface Subject {
  readonly phase: Phase
  readonly now: SeenNow
  /** the later phase that left the same artifact as it is now */
  readonly replaced_by: string | null
  readonly bases: readonly JudgedBase[]
}

interface JudgedBase {
  readonly name: string
  readonly had: string | null
  readonly judged: JudgedPhase | null
}

/** What keeps a phase from being reused; the first that holds gives the state, the reasons of all of it are shown. */
export const PHASE_RULES: readonly PhaseRule[] = [
  {
    id: 'still_running',
    title: 'it was begun and not ended',
    state: 'running',
    reason: ({ phase }) => (phase.status === 'running' ? 'it was begun and never ended' : null),
  },
  {
    id: 'failed',
    title: 'it failed',
    state: 'failed',
    reason: ({ phase }) => (phase.status === 'failed' ? 'it failed' : null),
  },
  {
    id: 'input_changed',
    title: 'what it is made from is another revision now',
    state: 'invalid',
    reason: ({ phase, now }) =>
      now.problem !== null || now.input_revision === phase.input_revision
        ? null
        : `its input ${phase.input ?? ''} was ${short(phase.input_revision)} and is ${short(now.input_revision)}`,
  },
  {
    id: 'artifact_gone',
    title: 'what it left is not there any more',
    state: 'invalid',
    reason: ({ phase, now }) =>
      now.problem === null && phase.artifact_digest !== null && now.artifact_digest === null
        ? `its artifact ${phase.artifact ?? ''} is gone`
        : null,
  },
  {
    id: 'artifact_changed',
    title: 'what it left was changed, and no later phase did that',
    state: 'invalid',
    reason: ({ phase, now, replaced_by }) =>
      now.problem !== null ||
      replaced_by !== null ||
      now.artifact_digest === null ||
      now.artifact_digest === phase.artifact_digest
        ? null
        : `its artifact ${phase.artifact ?? ''} was ${short(phase.artifact_digest)} and is ${short(now.artifact_digest)}`,
  },
  {
    id: 'base_not_valid',
    title: 'a phase it is built on is not valid, or was made anew',
    state: 'invalid',
    reason: ({ bases }) => {
      const [broken] = bases.flatMap(({ name, had, judged }) => {
        if (judged === null) return [`${name}, on which it is built, is not on record`]
        if (judged.state !== 'reusable')
          return [`${name}, on which it is built, is ${judged.state.replace('_', ' ')}`]
        return judged.phase.artifact_digest === had ? [] : [`${name}, on which it is built, was made anew`]
      })
      return broken ?? null
    },
  },
  {
    id: 'not_checked',
    title: 'it could not be looked at',
    state: 'not_checked',
    reason: ({ now }) => now.problem,
  },
]

/** Every phase of a task, in the order in which they were begun. `seen` by name; a missing one was not looked at. */
export function judgePhases(
  phases: readonly Phase[],
  seen: ReadonlyMap<string, SeenNow>,
): readonly JudgedPhase[] {
  const inOrder = [...phases].sort((a, b) => a.created_at - b.created_at || a.updated_at - b.updated_at)
  const judged = new Map<string, JudgedPhase>()
  const judge = (phase: Phase, under: ReadonlySet<string>): JudgedPhase => {
    const known = judged.get(phase.name)
    if (known !== undefined) return known
    const inside = new Set([...under, phase.name])
    const bases = phase.based_on.map(base => {
      const row = inside.has(base.phase) ? undefined : phases.find(({ name }) => name === base.phase)
      return {
        name: base.phase,
        had: base.artifact_digest,
        judged: row === undefined ? null : judge(row, inside),
      }
    })
    const now = seen.get(phase.name) ?? NOT_SEEN
    const one = judgeOne({ phase, now, replaced_by: replacementOf(phase, now, phases), bases })
    judged.set(phase.name, one)
    return one
  }
  return inOrder.map(phase => judge(phase, new Set()))
}

const NOT_SEEN: SeenNow = {
  input_revision: null,
  artifact_digest: null,
  problem: 'nobody looked at its input and artifact',
}

function judgeOne(subject: Subject): JudgedPhase {
  const found = PHASE_RULES.flatMap(({ state, reason }) => {
    const why = reason(subject)
    return why === null ? [] : [{ state, why }]
  })
  const { phase, replaced_by } = subject
  const [first] = found
  if (first !== undefined)
    return {
      phase,
      state: first.state,
      why: found.filter(one => one.state === first.state).map(({ why }) => why),
    }
  const why = replaced_by === null ? [] : [`its artifact was replaced by ${replaced_by}`]
  return { phase, state: 'reusable', why }
}

/** A later phase that left the same artifact, as it is now: it was changed on purpose. */
function replacementOf(phase: Phase, now: SeenNow, phases: readonly Phase[]): string | null {
  if (
    phase.artifact === null ||
    now.artifact_digest === null ||
    now.artifact_digest === phase.artifact_digest
  )
    return null
  const later = phases.find(
    other =>
      other.name !== phase.name &&
      other.status === 'completed' &&
      other.artifact === phase.artifact &&
      other.artifact_digest === now.artifact_digest &&
      other.updated_at >= phase.updated_at,
  )
  return later?.name ?? null
}

/** Head and tail: two revisions of one commit differ at their end. */
function short(revision: string | null): string {
  if (revision === null) return 'not there'
  return revision.length > 40 ? `${revision.slice(0, 24)}…${revision.slice(-8)}` : revision
}
