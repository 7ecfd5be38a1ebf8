import { foreignTime } from '../foreign-time.js'
import { idOf, textOf } from '../json-parts.js'
import type { Conversation } from './conversation.js'
import { isV0Event } from './v0.js'

/** Where the conversation stands, and what leads there. */
export interface Branch {
  readonly version: 'v0' | 'v1'
  readonly count: number
  readonly lastId: string | null
  readonly lastAt: number | null
  /** ids of the actions that a resume knows of */
  readonly actionIds: ReadonlySet<string>
}

// types.py: the parent of an event that begins the conversation anew.
const ROOT = /^_*root_*$/i

/**
 * Reads the events for their order alone. Since July 2026 an event names its parent; one without a parent follows the event
 * before it (`_effective_parent_id` in event_store.py). The active branch ends at `leaf_event_id`, else at the last event.
 * base_state.json is written after a step, so that an action during which the process was killed is not on the branch.
 */
export async function readBranch({ events, state }: Conversation): Promise<Branch> {
  const actionIds = new Set<string>()
  const parents = new Map<string, string | null>()
  let version: Branch['version'] = 'v1'
  let isTree = false
  let count = 0
  let lastId: string | null = null
  let lastAt: number | null = null
  for await (const found of events()) {
    if ('record' in found) continue
    const { event, where } = found
    const isOld = isV0Event(event)
    if (isOld) version = 'v0'
    const id = idOf(event.id) ?? where
    if (isOld ? typeof event.action === 'string' : event.kind === 'ActionEvent') actionIds.add(id)
    const parent = textOf(event.parent_id)
    if (parent !== null) isTree = true
    if (!isOld) parents.set(id, parent === null ? lastId : ROOT.test(parent) ? null : parent)
    count += 1
    lastId = id
    lastAt = foreignTime(event.timestamp)?.at ?? lastAt
  }
  const leaf = textOf(state?.leaf_event_id)
  if (isTree) {
    const path = pathTo(leaf !== null && parents.has(leaf) ? leaf : lastId, parents)
    for (const id of actionIds) if (!path.has(id)) actionIds.delete(id)
  }
  return { version, count, lastId, lastAt, actionIds }
}

function pathTo(leaf: string | null, parents: ReadonlyMap<string, string | null>): Set<string> {
  const path = new Set<string>()
  for (let id = leaf; id !== null && !path.has(id); id = parents.get(id) ?? null) path.add(id)
  return path
}
