import type { JsonObject } from '../core/json.js'

/** Where one output stream of a command goes; false once nobody reads any more. */
export type Tap = (chunk: Uint8Array) => Promise<boolean>

/** What passed through one stream. */
export interface Output {
  /** its length and digest, for the receipt */
  readonly receipt: () => JsonObject
  /** all of it as text; null where it is too long to keep or no UTF-8 */
  readonly text: () => string | null
  /** its last lines, for whoever looks for the cause; masked whole, so that no secret loses what it is known by */
  readonly tail: (mask: (text: string) => string) => string
}

/** Signals that are passed on to a command, and the one that ends it. Their own list: our types need none of Node's. */
export type PassedSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR1' | 'SIGUSR2' | 'SIGKILL'
