import type { ImportedPhase } from '../imported.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Phase, PhaseStatus } from '../phase.js'
import { cleanJson, cleanText, cleanTextOrNull, cleanTime } from './clean.js'
import type { TakingIn } from './their-record.js'

const STATUSES: Readonly<Record<string, PhaseStatus>> = {
  running: 'running',
  in_progress: 'running',
  started: 'running',
  completed: 'completed',
  complete: 'completed',
  succeeded: 'completed',
  success: 'completed',
  done: 'completed',
  ok: 'completed',
  failed: 'failed',
  error: 'failed',
  cancelled: 'failed',
}

/** What another record says of a phase, ready to be stored. */
export interface TheirPhase {
  readonly name: string
  readonly said: Omit<Phase, 'task_id' | 'name' | 'version' | 'created_at' | 'updated_at'>
  /** false: their word for the status is none that is known, and it is taken for running */
  readonly isStatusKnown: boolean
}

export function theirPhase(
  phase: ImportedPhase,
  { source, mask }: Pick<TakingIn, 'source' | 'mask'>,
): TheirPhase {
  const status = STATUSES[phase.status.toLowerCase()]
  const { own, artifact_digest } = phase
  const at = cleanTime(phase.at)
  return {
    name: cleanText(phase.name) || 'unnamed',
    isStatusKnown: status !== undefined,
    said: {
      input: cleanTextOrNull(own?.input ?? null),
      input_revision: cleanTextOrNull(phase.input_revision),
      status: status ?? 'running',
      artifact: cleanTextOrNull(phase.artifact),
      artifact_digest: digestOf(artifact_digest),
      based_on: (own?.based_on ?? []).map(one => ({
        phase: cleanText(one.phase),
        artifact_digest: digestOf(one.artifact_digest),
      })),
      result: own === undefined || own.result === null ? null : mask.value(cleanJson(own.result)),
      evidence: {
        ...objectOf(own === undefined ? null : mask.value(cleanJson(own.evidence))),
        source,
        status: cleanText(phase.status),
        ...(artifact_digest === null ? {} : { artifact_digest: cleanText(artifact_digest) }),
        ...(at === null ? {} : { at }),
      },
    },
  }
}

function objectOf(value: JsonValue): JsonObject {
  return isObject(value) ? value : {}
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function digestOf(digest: string | null): string | null {
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]
  return hex === undefined ? null : `sha256:${hex.toLowerCase()}`
}
