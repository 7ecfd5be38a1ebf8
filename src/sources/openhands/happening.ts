import type { JsonValue } from '../../core/json.js'
import type { Effect } from '../../core/operation.js'

/** What one event of OpenHands says, whichever version wrote it. */
export type Happening = ActionSeen | AnswerSeen | Said | Condensed | StatusSeen | Found

interface Timed {
  /** milliseconds since 1970 UTC; null = the event does not say */
  readonly at: number | null
}

/** The agent asked for a tool. */
export interface ActionSeen extends Timed {
  readonly is: 'action'
  readonly id: string
  /** by which errors name it; a model may use one again in a later reply */
  readonly callId: string | null
  readonly tool: string
  readonly input: JsonValue
  readonly effect: Effect | null
  readonly target: string | null
  /**
   * `sent`: handed to the tool. `not_valid`: the call never became an action. `awaiting`: recorded as waiting for a
   * person, and recorded anew once allowed. `rejected`: a person said no.
   */
  readonly standing: 'sent' | 'not_valid' | 'awaiting' | 'rejected'
  /** it acts on nothing outside: a thought, the end, the agent's own list of tasks, a look at a running command */
  readonly isInternal: boolean
  /** what it means for a command that still runs in the same shell */
  readonly shell: 'command' | 'input' | 'reset' | null
}

/** Something came back for an action. */
export interface AnswerSeen extends Timed {
  readonly is: 'answer'
  readonly actionId: string | null
  readonly callId: string | null
  readonly kind: AnswerKind
  /** the code a command ended with; null where there is none */
  readonly exitCode: number | null
  readonly result: JsonValue
  /** the text of an error or the reason of a rejection */
  readonly text: string | null
}

/**
 * `done`: the tool returned. `failed`: the tool returned and says that it failed. `running`: the command goes on.
 * `no_verdict`: the tool returns the same way whether it worked or not. `error`: OpenHands wrote an error in place of an
 * answer. `restart`, `interrupted`, `not_executed_claim`: an error that it makes up for an action it lost track of.
 * `rejected`: a person or a hook said no before it was sent.
 */
export type AnswerKind =
  | 'done'
  | 'failed'
  | 'running'
  | 'no_verdict'
  | 'error'
  | 'restart'
  | 'interrupted'
  | 'not_executed_claim'
  | 'rejected'

export interface Said extends Timed {
  readonly is: 'message'
  readonly by: 'agent' | 'person' | 'program'
  readonly text: string
}

export interface Condensed extends Timed {
  readonly is: 'condensation'
  readonly summary: string | null
}

/** The state of the conversation, in OpenHands' own word. */
export interface StatusSeen extends Timed {
  readonly is: 'status'
  readonly word: string
  readonly reason: string | null
}

/** What OpenHands found out by itself. */
export interface Found extends Timed {
  readonly is: 'finding'
  readonly kind: 'finding' | 'remark'
  readonly actionId: string | null
  readonly body: JsonValue
}
