import { LedgerError } from '../core/errors.js'
import { isSomeText } from '../core/given.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { checkDepth } from '../core/json-depth.js'
import { byOf, type Executor } from '../execute/executor.js'
import type { NewNote, Note } from '../store/store.js'

/**
 * What whoever comes next has to know, told while the agent goes on: each kind has its own members, so that a claim does not
 * pass for a finding. A summary that a model wrote stands beside them and is labelled as such; it replaces none.
 */
export type NoteTold = (
  | { readonly finding: string; readonly evidence: JsonValue }
  | { readonly open: string }
  | {
      readonly hypothesis: string
      readonly result: 'confirmed' | 'excluded' | 'undecided'
      readonly evidence?: JsonValue
    }
  | { readonly workspace: string; readonly diff?: string }
  | { readonly summary: string; readonly model: string }
  | { readonly remark: string }
) & {
  /** the operation it is about */
  readonly operation?: string
}

interface Kind {
  readonly kind: NewNote['kind']
  readonly required: readonly string[]
  readonly others: readonly string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  finding: { kind: 'finding', required: ['evidence'], others: [] },
  open: { kind: 'open', required: [], others: [] },
  hypothesis: { kind: 'hypothesis', required: ['result'], others: ['evidence'] },
  workspace: { kind: 'workspace', required: [], others: ['diff'] },
  summary: { kind: 'summary', required: ['model'], others: [] },
  remark: { kind: 'remark', required: [], others: [] },
}

const RESULTS = ['confirmed', 'excluded', 'undecided']

/** The kind of a note and its body, checked. @throws LedgerError invalid_input */
export function noteOf(told: object): { readonly kind: NewNote['kind']; readonly body: JsonObject } {
  const { operation: _, ...said } = told as JsonObject
  const names = Object.keys(said)
  const [name, ...more] = names.filter(one => Object.hasOwn(KINDS, one))
  const kind = name === undefined ? undefined : KINDS[name]
  if (name === undefined || kind === undefined || more.length > 0)
    throw unfit('', `one of ${Object.keys(KINDS).join(', ')} is wanted`)
  const known = [name, ...kind.required, ...kind.others]
  const unknown = names.find(one => !known.includes(one))
  if (unknown !== undefined) throw unfit(unknown, `means nothing beside ${name}`)
  const missing = kind.required.find(one => said[one] === undefined || said[one] === null || said[one] === '')
  if (missing !== undefined) throw unfit(missing, `is missing: a ${name} without it is a remark`)
  const problem = isSomeText(said[name])
  if (problem !== null) throw unfit(name, problem)
  if (name === 'hypothesis' && !RESULTS.includes(String(said.result)))
    throw unfit('result', `one of ${RESULTS.join(', ')} is wanted`)
  const text = JSON.stringify(said)
  checkDepth(text, 'the note')
  return { kind: kind.kind, body: JSON.parse(text) }
}

/** Keeps a note. @throws LedgerError invalid_input, not_found */
export async function leaveNote(
  executor: Pick<Executor, 'store' | 'mask' | 'clock' | 'actor'>,
  task_id: string,
  told: NoteTold,
): Promise<Note> {
  const { kind, body } = noteOf(told)
  const operation_id = told.operation ?? null
  if (operation_id !== null && (await executor.store.operation(operation_id)) === null)
    throw new LedgerError('not_found', `there is no operation ${operation_id}`, { id: operation_id })
  return executor.store.addNote(
    { task_id, operation_id, kind, body: executor.mask.value(body) },
    byOf(executor),
  )
}

function unfit(path: string, problem: string): LedgerError {
  return new LedgerError('invalid_input', `the note: ${path === '' ? '' : `"${path}" `}${problem}`, { path })
}
