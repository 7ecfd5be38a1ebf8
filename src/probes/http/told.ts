import type { JsonValue } from '../../core/json.js'
import type { Observed, Remote, Statement } from '../../core/observation.js'
import type { HttpProbe } from '../../core/probe.js'
import { find, isTrue, search, textOf } from '../expression.js'
import { failed, type NotGot } from './get.js'

/** An answer in which nothing stands. */
export const NOTHING = { matches: [], statements: [], remote: null, disagreements: [] } as const

export interface Told {
  readonly statements: readonly Statement[]
  readonly remote: Remote | null
  readonly disagreements: readonly string[]
}

/** What an answer says beside its objects: statements, the state of a task, contradictions. */
export function toldIn(documents: readonly JsonValue[], probe: HttpProbe): Told | NotGot {
  const statements: Statement[] = []
  const disagreements: string[] = []
  for (const document of documents) {
    for (const says of ['aborted', 'never_sent', 'refused'] as const) {
      const path = probe.statements?.[says]
      // Only a plain true is a statement: a text or a number there may mean anything.
      if (path !== undefined && find(document, path) === true) statements.push({ says, attempts: 'all' })
    }
    for (const { when, says } of probe.disagrees ?? []) {
      const found = search(document, when)
      if ('problem' in found) return failed('not_understood', `${when}: ${found.problem}`)
      if (isTrue(found.value)) disagreements.push(says)
    }
  }
  const remote = probe.remote === undefined ? null : remoteIn(documents[0] ?? null, probe.remote)
  if (remote !== null && 'code' in remote) return remote
  return { statements, remote, disagreements }
}

/** The state of a task in a document. */
export function remoteIn(document: JsonValue, reading: NonNullable<HttpProbe['remote']>): Remote | NotGot {
  const { not_found } = reading
  if (not_found !== undefined && isTrue(find(document, not_found)))
    return { state: 'not_found', says: 'it has no record of it' }
  const word = textOf(find(document, reading.state))
  const states = ['working', 'input_needed', 'completed', 'failed', 'cancelled'] as const
  const state = states.find(one => word !== undefined && reading[one]?.includes(word))
  if (word === undefined || state === undefined)
    return failed(
      'not_understood',
      `its state is ${word ?? 'not there'}, and nobody declared what that means`,
    )
  const more = reading.says === undefined ? undefined : textOf(find(document, reading.says))
  const artifact = reading.artifact === undefined ? undefined : find(document, reading.artifact)
  return {
    state,
    says: more === undefined ? word : `${word}: ${more}`,
    ...(isTrue(artifact) ? { artifact: textOf(artifact) ?? JSON.stringify(artifact).slice(0, 200) } : {}),
    ...(reading.left_nothing === true ? { left_nothing: true as const } : {}),
  }
}

/** A request that brought nothing, as a look saw it. */
export function notSeen({ code, why, retry_after_ms }: NotGot): Observed {
  return { completeness: 'failed', code, why, retry_after_ms }
}
