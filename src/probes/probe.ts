import type { Grade, Observed, Reading } from '../core/observation.js'
import type { Facts } from '../core/placeholders.js'
import type { SingleProbe } from '../core/probe.js'
import type { Stamp } from '../core/time.js'

/** What a probe may know of the operation it asks about. */
export interface ProbeFacts extends Facts {
  readonly tool: string
  readonly input_digest: string
  /** when the first attempt was announced, ISO-8601 UTC; null: nothing was sent */
  readonly first_sent: string | null
  /** an hour before: the service's clock may be behind ours, and what it made then must not be left out of its list */
  readonly since: string | null
  readonly since_unix: string | null
}

/** The world a probe works in; the ledger hands it down, tests give their own. */
export interface ProbeWorld {
  readonly clock: () => Stamp
  /** variables that `{env.NAME}` is filled from */
  readonly env: Readonly<Record<string, string | undefined>>
  /** where relative paths start: the folder of the configuration */
  readonly folder: string
  /** masks secrets in what becomes evidence */
  readonly mask: (text: string) => string
  readonly signal: AbortSignal
  /** the Node that modules are run by */
  readonly node: string
  /** ends a process and all it began: src/host.ts */
  readonly signalGroup: (pid: number, signal: 'SIGTERM' | 'SIGKILL') => void
}

/** One question, ready to be asked. */
export interface Question<P extends SingleProbe = SingleProbe> {
  readonly probe: P
  readonly facts: ProbeFacts
}

/**
 * What a probe brings back: which reading it was, and what it saw. Never rejects for what the service does. `grade`
 * where it is worth something else than its declaration says: a search whose hits were read again.
 */
export type Brought = Pick<Reading, 'observed_at' | 'scope' | 'request' | 'response_digest'> & {
  readonly grade?: Grade
} & Observed

/** One kind of probe. `plan` says what `ask` would send, without sending it. */
export interface Prober<P extends SingleProbe> {
  readonly plan: (question: Question<P>, world: ProbeWorld) => readonly Planned[]
  readonly ask: (question: Question<P>, world: ProbeWorld) => Promise<Brought>
}

/** A request in words: `GET https://api.example/…`, `select … from …`, a program with its arguments. */
export interface Planned {
  readonly what: string
  /** why it cannot be sent as it is; absent where it can */
  readonly problem?: string
}
