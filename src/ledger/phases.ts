import { resolve } from 'node:path'
import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isAny, isSomeText, isText, isTextList } from '../core/given.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { keptResult } from '../core/kept-result.js'
import { checkId } from '../core/operation-id.js'
import type { JudgedPhase, Phase, PhaseStatus } from '../core/phase.js'
import { byOf, type Executor } from '../execute/executor.js'
import { digestOfRevision, revisionOf } from '../sources/workspace.js'
import { judgedPhases, seenNow } from './judged-phases.js'
import { openTask } from './tasks.js'

/** What a phase is made from and what it leaves. `git:.`, `file:dist/app.js`, `folder:dist`, `lockfile:package-lock.json`, or any text. */
export interface PhaseAbout {
  readonly task: string
  /** left out: it depends on nothing but the phases it is built on */
  readonly inputRevision?: string
  /** left out: it leaves nothing but what it returns */
  readonly artifact?: string
  /** phases it is built on: when one of them is not valid any more, this one is not either */
  readonly basedOn?: readonly string[]
  /** what else says that it was done */
  readonly evidence?: JsonValue
  /** the folder in which paths begin; default: the task's, else the current one */
  readonly workspace?: string
  /** look at paths outside the workspace too */
  readonly follow?: boolean
}

/** How a phase came out. */
export interface PhaseDone<T> {
  /** true: nothing was done, and the result is the one on record */
  readonly reused: boolean
  readonly result: T | null
  /** why it was not reused; empty where it was, or never ran before */
  readonly why: readonly string[]
  readonly phase: Phase
}

const FIELDS: Readonly<Record<keyof PhaseAbout, Check>> = {
  task: isText,
  inputRevision: isSomeText,
  artifact: isSomeText,
  basedOn: isTextList,
  evidence: isAny,
  workspace: isSomeText,
  follow: value => (typeof value === 'boolean' ? null : 'must be true or false'),
}

/**
 * Does a part of a task once: what it returned is on record, and comes back while what it is made from and what it left
 * are as they were. @throws LedgerError invalid_input, refused (a phase it is built on is not valid), conflict
 */
export async function runPhase<T>(
  executor: Executor,
  { name, about }: { readonly name: string; readonly about: PhaseAbout },
  work: (why: readonly string[]) => T | Promise<T>,
): Promise<PhaseDone<T>> {
  checkFields(about, { fields: FIELDS, required: ['task'], what: `phase ${name}` })
  const begun = await beginPhase(executor, { name, about })
  // What was stored came from the same function, as JSON has it.
  if (begun.reused) return { ...begun, result: begun.phase.result as T | null }
  try {
    const result = await work(begun.why)
    const kept = keptResult(result)
    const lost: JsonObject = kept.left_out === null ? {} : { result_left_out: kept.left_out }
    const phase = await endPhase(executor, begun.phase, {
      status: 'completed',
      about: { ...about, evidence: { ...given(executor, about.evidence), ...lost } },
      result: kept.result,
    })
    return { reused: false, result, why: begun.why, phase }
  } catch (thrown) {
    await failPhase(executor, begun.phase, thrown)
    throw thrown
  }
}

export type Begun = Pick<PhaseDone<JsonValue>, 'reused' | 'why' | 'phase'>

/** Asks whether a phase can be reused, and writes down that it begins where it cannot. */
export async function beginPhase(
  executor: Executor,
  { name, about }: { readonly name: string; readonly about: PhaseAbout },
): Promise<Begun> {
  checkId(name, 'phase name')
  const { epoch } = await openTask(executor, about.task, {})
  const { workspace, follow } = await placeOf(executor, about)
  const task = await executor.store.task(about.task)
  const phases = await executor.store.phases(about.task)
  const judged = await judgedPhases({ workspace: task?.workspace ?? workspace }, phases, { follow })
  const based_on = (about.basedOn ?? []).map(base => basisOf(judged, { name, base }))
  const before = judged.find(({ phase }) => phase.name === name)
  const asked = { input: about.inputRevision ?? null, artifact: about.artifact ?? null }
  const why =
    before === undefined
      ? []
      : [...before.why.filter(() => before.state !== 'reusable'), ...otherThan(before.phase, asked)]
  if (before?.state === 'reusable' && why.length === 0) return { reused: true, why: [], phase: before.phase }
  const seen = await seenNow({ input: asked.input, artifact: null }, { workspace, follow })
  if (seen.problem !== null)
    throw new LedgerError('invalid_input', `phase ${name}: ${seen.problem}`, {
      id: name,
      path: 'inputRevision',
    })
  const phase: Phase = {
    task_id: about.task,
    name,
    ...asked,
    input_revision: seen.input_revision,
    status: 'running',
    artifact_digest: null,
    based_on,
    result: null,
    evidence: { workspace, ...given(executor, about.evidence) },
    version: 0,
    created_at: 0,
    updated_at: 0,
  }
  return {
    reused: false,
    why,
    phase: await write(executor, phase, { before: before?.phase.version ?? 0, epoch }),
  }
}

interface End {
  readonly status: Exclude<PhaseStatus, 'running'>
  readonly about: Pick<PhaseAbout, 'artifact' | 'evidence' | 'follow'>
  readonly result: JsonValue | null
}

/** @throws LedgerError refused where it left no artifact although it names one */
export async function endPhase(
  executor: Executor,
  phase: Phase,
  { status, about, result }: End,
): Promise<Phase> {
  const workspace = (phase.evidence as JsonObject | null)?.workspace
  const place = { workspace: typeof workspace === 'string' ? workspace : null, follow: about.follow ?? false }
  const artifact = about.artifact ?? phase.artifact
  const left = artifact === null || status === 'failed' ? null : await revisionOf(artifact, place)
  if (left !== null && left.revision === null)
    throw new LedgerError('refused', `phase ${phase.name}: ${left.problem ?? `${artifact} is not there`}`, {
      id: phase.name,
      rule: 'artifact_there',
      hint: 'A phase is completed once what it leaves is there. Name what it leaves, or leave `artifact` out.',
    })
  const evidence = { ...(phase.evidence as JsonObject | null), ...given(executor, about.evidence) }
  const after = {
    ...phase,
    status,
    artifact,
    artifact_digest: digestOfRevision(left?.revision ?? null),
    result,
    evidence,
  }
  return write(executor, after, { before: phase.version, epoch: executor.epochs.get(phase.task_id) ?? null })
}

async function failPhase(executor: Executor, phase: Phase, thrown: unknown): Promise<void> {
  const error = executor.mask.text(thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 2_000)
  // The fault that is thrown matters more than that it could not be written down.
  await endPhase(executor, phase, { status: 'failed', about: { evidence: { error } }, result: null }).catch(
    () => {},
  )
}

async function write(
  executor: Executor,
  phase: Phase,
  { before, epoch }: { readonly before: number; readonly epoch: number | null },
): Promise<Phase> {
  const asked = { phase, expected_version: before, epoch }
  const { written, reason } = await executor.store.writePhase(asked, byOf(executor))
  if (written !== null) return written
  throw new LedgerError('conflict', reason, {
    id: phase.name,
    rule: 'phase_as_seen',
    hint: 'Another run holds the task or works on this phase: end this one, or look at the report first.',
  })
}

function basisOf(judged: readonly JudgedPhase[], { name, base }: { name: string; base: string }) {
  const found = judged.find(({ phase }) => phase.name === base)
  if (found?.state === 'reusable') return { phase: base, artifact_digest: found.phase.artifact_digest }
  const why =
    found === undefined ? 'it is not on record' : `${found.state.replace('_', ' ')}: ${found.why.join('; ')}`
  throw new LedgerError('refused', `phase ${name} is built on ${base}, which cannot be reused (${why})`, {
    id: name,
    rule: 'base_valid',
    hint: `Run the phase ${base} first; it is done again where it has to be.`,
  })
}

/** It was asked for otherwise then: that was another phase under the same name. */
function otherThan(phase: Phase, asked: Pick<Phase, 'input' | 'artifact'>): string[] {
  return [
    ...(phase.input === asked.input ? [] : ['it is made from something else now']),
    ...(phase.artifact === asked.artifact ? [] : ['it leaves something else now']),
    ...(hasLostResult(phase) ? ['what it returned was not kept'] : []),
  ]
}

function hasLostResult({ evidence }: Phase): boolean {
  return typeof evidence === 'object' && evidence !== null && 'result_left_out' in evidence
}

async function placeOf(executor: Executor, { task, workspace, follow = false }: PhaseAbout) {
  const known = workspace ?? (await executor.store.task(task))?.workspace ?? '.'
  return { workspace: resolve(known), follow }
}

function given({ mask }: Executor, evidence: JsonValue | undefined): JsonObject {
  if (evidence === undefined || evidence === null) return {}
  const masked = mask.value(evidence)
  return typeof masked === 'object' && masked !== null && !Array.isArray(masked)
    ? (masked as JsonObject)
    : { evidence: masked }
}
