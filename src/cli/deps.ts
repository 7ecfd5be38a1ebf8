import type { LedgerConfig } from '../config/config.js'
import { createRedactor, type Redactor } from '../core/redact/redact.js'
import { type Safe, type SafeShape, safe } from '../core/safe-text.js'
import type { Actor } from '../host.js'
import type { News } from '../ledger/news.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import type { RecordsRead } from '../ledger/records-for-reading.js'
import type { Ledger } from '../ledger.js'
import { createPaint, type Paint, wantsColour } from './colour.js'
import type { Command, Commands } from './command.js'
import type { From } from './from.js'
import { type GlobalOptions, readGlobalOptions } from './global-options.js'
import type { Io } from './io.js'
import { createTimes, type Times } from './output/times.js'
import type { Call } from './parse.js'
import type { Signals } from './signals.js'

/** What `run` gets beside its options. Nothing else of the world is in reach of a command. */
export interface Deps {
  /** every command there is, for completion */
  readonly declared: () => Promise<readonly Command[]>
  readonly io: Io
  readonly global: GlobalOptions
  /** painters for stdout; off unless it is a terminal that wants colour */
  readonly paint: Paint
  /** aborted by ctrl-c, SIGTERM and SIGHUP: stop at the next safe point and return */
  readonly signal: AbortSignal
  /** takes the signals over, for a program that the command runs; until what it returns is called */
  readonly onSignal: Signals['takeOver']
  /** milliseconds since 1970: `--as-of`, else the clock when the command began */
  readonly now: number
  /** the same for commands that go on: `--as-of`, else the clock */
  readonly clock: () => number
  readonly times: Times
  /** how long to wait for a locked ledger */
  readonly waitMs: number
  /** who decides, for the record; `identity` is what the configuration names */
  readonly actor: (identity?: string) => Promise<Actor>
  /** masks secrets; `show`, `print`, `say` and the writers of documents use it */
  readonly redactor: Redactor
  /** any text of the ledger, a file or a service, masked and safe: the way from data to what `print` takes */
  readonly show: (text: string, shape?: SafeShape) => Safe
  /** one or more lines of the result, on stdout; false once nobody reads any more */
  readonly print: (lines: Safe) => Promise<boolean>
  /** one or more lines of talk, on stderr; silent with --quiet */
  readonly say: (lines: Safe) => Promise<void>
  /** Opens the ledger in use to write it, and closes it whatever happens. Its configuration's secrets are masked from then on. */
  readonly withLedger: <T>(use: (ledger: Ledger) => Promise<T>) => Promise<T>
  /** the ledger there, else the one in use, with the same configuration; to be closed by whoever asked */
  readonly openAnother: (location: string | undefined) => Promise<Ledger>
  /** the same to read it, without a trace; `--as-of` is its clock */
  readonly withLedgerForReading: <T>(use: (ledger: LedgerForReading) => Promise<T>) => Promise<T>
  /**
   * waits so long between two looks of a command that goes on, and less where the ledger's server says that something was
   * written, or until the signal is given; left out: that of the program
   */
  readonly untilWritten: (ms: number, until?: AbortSignal) => Promise<void>
  /** the same for what another system wrote; it is said on stderr what it was and what was skipped */
  readonly withRecordsForReading: <T>(
    given: From & { readonly from: string },
    use: (ledger: LedgerForReading) => Promise<T>,
  ) => Promise<T>
}

/** What a call stands on; tests give their own. */
export interface Surroundings {
  readonly commands: Commands
  readonly io: Io
  readonly signal: AbortSignal
  readonly onSignal: Signals['takeOver']
  readonly clock: () => number
}

const DEFAULT_WAIT_MS = 10_000

/** Reads the global options and makes what the command called is given. */
export async function createDeps(
  { raw }: Call,
  { commands, io, signal, onSignal, clock }: Surroundings,
): Promise<Deps> {
  const global = readGlobalOptions(raw)
  const { asOf, noColor, ledger, config } = global
  const now = asOf === undefined ? clock() : asOf.kind === 'at' ? asOf.at : clock() - asOf.spanMs
  // The configuration, read when the ledger is opened, can name further secrets.
  let known: Redactor | undefined
  const current = () => {
    known ??= createRedactor()
    return known
  }
  const redactor: Redactor = {
    text: text => current().text(text),
    value: value => current().value(value),
    json: value => current().json(value),
  }
  const actor = async (identity?: string) => {
    const { findActor } = await import('../host.js')
    return findActor({ flag: global.by, config: identity, env: io.env, cwd: io.cwd })
  }
  const waitMs = global.wait ?? DEFAULT_WAIT_MS
  const say = async (lines: Safe) => {
    if (!global.quiet) await io.stderr.write(`${redactor.text(lines)}\n`)
  }
  const show = (text: string, shape?: SafeShape) => safe(redactor.text(text), shape)
  const { trustConfig } = global
  const wishes = { ledger, config, env: io.env, cwd: io.cwd, waitMs, actor, trustConfig }
  const using = async <L extends { close(): Promise<void> }, T>(
    opened: { readonly ledger: L; readonly config: LedgerConfig },
    use: (ledger: L) => Promise<T>,
  ) => {
    known = createRedactor(opened.config.redact)
    try {
      return await use(opened.ledger)
    } finally {
      await opened.ledger.close()
    }
  }
  const openToWrite = async (location: string | undefined) => {
    const { openLedgerInUse } = await import('./open-ledger.js')
    const onWarning = ({ message }: { readonly message: string }) => void say(show(message))
    return openLedgerInUse({ ...wishes, ledger: location ?? wishes.ledger, onWarning })
  }
  let news: Promise<Pick<News, 'wait'>> | undefined
  return {
    declared: commands.declared,
    io,
    global,
    paint: await createPaint(wantsColour({ noColor, env: io.env, isTerminal: io.stdout.isTerminal })),
    signal,
    onSignal,
    now,
    clock: asOf === undefined ? clock : () => now,
    times: createTimes(global.tz, now),
    waitMs,
    actor,
    redactor,
    show,
    print: lines => io.stdout.write(`${redactor.text(lines)}\n`),
    say,
    withLedger: async use => using(await openToWrite(undefined), use),
    openAnother: async location => {
      const { ledger: opened, config: read } = await openToWrite(location)
      known = createRedactor(read.redact)
      return opened
    },
    untilWritten: async (ms, until = signal) => {
      news ??= import('./news.js').then(module => module.newsInUse(wishes))
      await (await news).wait(ms, until)
    },
    withLedgerForReading: async use => {
      const { openLedgerInUseForReading } = await import('./open-for-reading.js')
      const at = asOf === undefined ? undefined : now
      return using(await openLedgerInUseForReading({ ...wishes, asOf: at }), use)
    },
    withRecordsForReading: async (given, use) => {
      const { openRecordsInUse } = await import('./open-records.js')
      const { readLines, toldProgress } = await import('./output/records-read.js')
      const onRead = async (read: RecordsRead) => {
        for (const line of readLines(read, given.from, show)) await say(line)
      }
      const at = asOf === undefined ? undefined : now
      const onProgress = toldProgress({ isTerminal: io.stderr.isTerminal, say })
      return using(await openRecordsInUse({ ...wishes, given, asOf: at, signal, onRead, onProgress }), use)
    },
  }
}
