import { type Safe, safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import type { Sink } from '../io.js'

/** How far a long piece of work is, for whoever waits before a terminal. */
export interface Progress {
  /** So much is done, of so much where that is known. Costs nothing when called often. */
  readonly at: (done: number, total?: number) => void
  /** Takes the bar away, so that a line can be printed; the next `at` draws it again. */
  readonly clear: () => Promise<void>
}

interface Screen {
  readonly stderr: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly quiet: boolean
  /** aborted: the bar goes, and none is drawn any more */
  readonly signal: AbortSignal
  /** milliseconds that only go forward */
  readonly monotonicMs: () => number
}

/** What is over sooner needs no bar. */
const BEGINS_AFTER_MS = 300
const DRAWN_EVERY_MS = 100
/** A screen reader reads every line out, and a dumb terminal cannot take one back. */
const LINE_EVERY_MS = 5_000
const CELLS = 20
const ERASED = '\r\u001b[K'

/** One for each piece of work: `label` is what is counted, `operations`. Nothing goes through a pipe. */
export async function withProgress<T>(
  label: string,
  { io, global, signal }: Pick<Deps, 'io' | 'global' | 'signal'>,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = createProgress(label, {
    stderr: io.stderr,
    env: io.env,
    quiet: global.quiet,
    signal,
    monotonicMs: () => performance.now(),
  })
  try {
    return await work(progress)
  } finally {
    await progress.clear()
  }
}

export function createProgress(label: string, screen: Screen): Progress {
  const { stderr, env, quiet, signal, monotonicMs } = screen
  if (quiet || !stderr.isTerminal) return { at: () => undefined, clear: async () => undefined }
  const began = monotonicMs()
  const isPlain = env.TERM === 'dumb'
  const [beginsAfter, every] = isPlain ? [LINE_EVERY_MS, LINE_EVERY_MS] : [BEGINS_AFTER_MS, DRAWN_EVERY_MS]
  let last = Number.NEGATIVE_INFINITY
  let isDrawn = false
  // One after the other: a bar that is drawn after it was taken away would stay.
  let writing: Promise<unknown> = Promise.resolve()
  const write = (text: string) => {
    writing = writing.then(() => stderr.write(text))
    return writing
  }
  const clear = async () => {
    if (isDrawn) {
      isDrawn = false
      await write(ERASED)
    }
    await writing
  }
  signal.addEventListener('abort', () => void clear(), { once: true })
  return {
    at: (done, total) => {
      const now = monotonicMs()
      if (signal.aborted || now - began < beginsAfter || now - last < every) return
      last = now
      const text = lineOf(label, done, total)
      if (isPlain) void write(`${text}\n`)
      else {
        isDrawn = true
        void write(`${ERASED}${bar(done, total, (stderr.columns() ?? 80) - text.length - 2)}${text}`)
      }
    },
    clear,
  }
}

function lineOf(label: string, done: number, total: number | undefined): Safe {
  return total === undefined ? words`${done} ${safe(label)}` : words`${done} of ${total} ${safe(label)}`
}

/** Plain letters: every font and terminal has them. Empty where there is no room, or nobody knows how much there is. */
function bar(done: number, total: number | undefined, room: number): string {
  if (total === undefined || total <= 0 || room < CELLS + 2) return ''
  const full = Math.max(0, Math.min(CELLS, Math.floor((done / total) * CELLS)))
  return `[${'#'.repeat(full)}${'-'.repeat(CELLS - full)}] `
}
