import type { JsonValue } from '../../core/json.js'
import type { Effect } from '../../core/operation.js'
import { partOf, textOf } from '../json-parts.js'

// Names of V0 actions, and names and kinds of V1 actions. What stands in neither list may act outside.

/** They act on the conversation alone. */
const INTERNAL = new Set([
  'message',
  'system',
  'think',
  'finish',
  'reject',
  'null',
  'pause',
  'resume',
  'stop',
  'change_agent_state',
  'recall',
  'condensation',
  'condensation_request',
  'task_tracking',
  'task_tracker',
  'loop_recovery',
  'ThinkAction',
  'FinishAction',
  'TaskTrackerAction',
])

/** They look, and leave what they look at as it was. */
const READS = new Set([
  'read',
  'glob',
  'grep',
  'GlobAction',
  'GrepAction',
  'browser_get_state',
  'browser_get_content',
  'browser_list_tabs',
  'BrowserGetStateAction',
  'BrowserGetContentAction',
  'BrowserListTabsAction',
])

export function isInternalTool(...names: readonly (string | null)[]): boolean {
  return names.some(name => name !== null && INTERNAL.has(name))
}

/** `read` for what only looks; null where nobody declared what it does. */
export function effectOf(input: JsonValue, ...names: readonly (string | null)[]): Effect | null {
  const isRead = names.some(name => name !== null && READS.has(name))
  // The editor has one name for all it does, and says in `command` what.
  const isView =
    names.some(name => name !== null && /edit/i.test(name)) && partOf(input, 'command') === 'view'
  return isRead || isView ? 'read' : null
}

/** What a call of the terminal means for the command that runs there; null for other tools. */
export function shellUse(input: JsonValue, name: string | null): 'command' | 'input' | 'reset' | null {
  const command = partOf(input, 'command')
  const isShell =
    name !== null && /^(?:run|terminal|execute_bash|bash)$|^(?:Terminal|ExecuteBash)Action$/.test(name)
  if (!isShell || typeof command !== 'string') return null
  if (partOf(input, 'reset') === true) return 'reset'
  const isInput = partOf(input, 'is_input')
  return isInput === true || isInput === 'true' || command.trim() === '' ? 'input' : 'command'
}

/** A look at a running command, without a key pressed. */
export function isOnlyLook(input: JsonValue, name: string | null): boolean {
  return shellUse(input, name) === 'input' && textOf(partOf(input, 'command'))?.trim() === undefined
}
