import type { Safe } from '../core/safe-text.js'
import { createPaint, type Paint, wantsColour } from './colour.js'
import { type GlobalOptions, readGlobalOptions } from './global-options.js'
import type { Io } from './io.js'
import type { Parsed } from './program.js'

/** What `run` gets beside its options. Nothing else of the world is in reach of a command. */
export interface Deps {
  readonly io: Io
  readonly global: GlobalOptions
  /** painters for stdout; off unless it is a terminal that wants colour */
  readonly paint: Paint
  /** aborted by ctrl-c, SIGTERM and SIGHUP: stop at the next safe point and return */
  readonly signal: AbortSignal
  /** milliseconds since 1970: `--as-of`, else the clock when the command began */
  readonly now: number
  /** one or more lines of the result, on stdout; false once nobody reads any more */
  readonly print: (lines: Safe) => Promise<boolean>
  /** one or more lines of talk, on stderr; silent with --quiet */
  readonly say: (lines: Safe) => Promise<void>
}

interface Surroundings {
  readonly io: Io
  readonly signal: AbortSignal
  readonly clock: () => number
}

/** Reads the global options and makes what the command called is given. */
export function createDeps({ raw }: Parsed, { io, signal, clock }: Surroundings): Deps {
  const global = readGlobalOptions(raw)
  const isTerminal = io.stdout.isTerminal
  const { asOf } = global
  const now = asOf === undefined ? clock() : asOf.kind === 'at' ? asOf.at : clock() - asOf.spanMs
  return {
    io,
    global,
    paint: createPaint(wantsColour({ noColor: global.noColor, env: io.env, isTerminal })),
    signal,
    now,
    print: lines => io.stdout.write(`${lines}\n`),
    say: async lines => {
      if (!global.quiet) await io.stderr.write(`${lines}\n`)
    },
  }
}
