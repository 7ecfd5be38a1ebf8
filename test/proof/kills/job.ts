import type { Call } from '../../../src/index.js'
import { at } from '../seeded.js'
import type { DecisionKind } from './places.js'
import { SERVICES, type ServiceKind } from './services.js'

/** What a process of a run is told, as JSON. */
export interface Job {
  /** `share`: the same operations as other processes at the same time; where the ledger fails it, it goes on to the next */
  readonly does: 'make' | 'write' | 'decide' | 'share'
  /** the ledger */
  readonly path: string
  readonly url: string
  /** place in SERVICES */
  readonly service: number
  readonly ids: readonly string[]
  readonly inSteps: boolean
  /** how far its wall clock is ahead of that of this machine, milliseconds; another machine's clock */
  readonly aheadMs?: number
  readonly decision?: { readonly kind: DecisionKind; readonly id: string; readonly wasDone: boolean }
}

export const TASK = 'task-1'

/** Long enough for an answer of this machine when it is busy too; what comes later is late. */
export const TIMEOUT_MS = 400

export function idOf(n: number): string {
  return `thing-${n}`
}

export function callOf(service: ServiceKind, id: string): Call {
  return {
    id,
    task: TASK,
    tool: 'things.create',
    input: { of: id },
    target: id,
    timeoutMs: TIMEOUT_MS,
    // Waiting longer between attempts would show nothing more.
    retry: { base_ms: 2 },
    ...(service.repeat === undefined ? {} : { repeat: service.repeat }),
  }
}

export function serviceOf({ service }: Pick<Job, 'service'>): ServiceKind {
  return at(SERVICES, service)
}
