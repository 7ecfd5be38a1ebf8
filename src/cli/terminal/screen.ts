import { writeSync } from 'node:fs'

// The screen is known here only once it is called.
type Terminal = import('../../tui/terminal.js').Terminal

/** A terminal that is taken over, and what gives it back. */
export interface Screen extends Terminal {
  readonly close: () => void
}

// The alternate screen, no wrapping at the right edge, pastes between marks (xterm: DECSET 1049, 7, 2004).
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?2004h'
const LEAVE = '\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[0m\u001b[?1049l'

/** Enough to keep the event loop alive while the program is stopped: nothing else would bring it back on `fg`. */
const STAY_AWAKE_MS = 1_000_000

/**
 * Takes the terminal over. It is given back whatever happens: by `close`, when the process ends by itself or by a fault,
 * and while it is suspended. Only SIGKILL cannot be met; `reset` in the shell then does it.
 */
export function openScreen(process: NodeJS.Process, edit: Terminal['edit']): Screen {
  const { stdin, stdout } = process
  const repainting = new Set<() => void>()
  const reading = new Set<(chunk: string) => void>()
  let isTaken = false
  const hear = (chunk: string | Buffer) => {
    for (const listener of reading) listener(String(chunk))
  }
  const repaint = () => {
    for (const listener of repainting) listener()
  }
  const giveBack = () => {
    if (!isTaken) return
    isTaken = false
    // written at once: the process may be ending
    quietly(() => writeSync(1, LEAVE))
    quietly(() => stdin.setRawMode(false))
  }
  const take = () => {
    // Raw first, so that nothing typed meanwhile is echoed over the screen.
    stdin.setRawMode(true)
    stdin.resume()
    isTaken = true
    write(ENTER)
  }
  const write = (bytes: string) => {
    stdout.write(bytes)
  }
  const gone = new Set<() => void>()
  const lose = () => {
    for (const listener of gone) listener()
  }
  stdin.setEncoding('utf8')
  stdin.on('data', hear)
  stdin.on('end', lose)
  // A terminal that was closed answers reads and writes with EIO.
  stdin.on('error', lose)
  stdout.on('error', lose)
  stdout.on('resize', repaint)
  process.on('exit', giveBack)
  take()

  const lend = async <T>(work: () => Promise<T>): Promise<T> => {
    stdin.pause()
    giveBack()
    try {
      return await work()
    } finally {
      take()
      repaint()
    }
  }
  return {
    size: () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 }),
    write,
    onInput: listener => added(reading, listener),
    onRepaint: listener => added(repainting, listener),
    suspend: () => {
      const awake = setTimeout(() => {}, STAY_AWAKE_MS)
      process.once('SIGCONT', () => {
        clearTimeout(awake)
        take()
        repaint()
      })
      giveBack()
      process.kill(0, 'SIGTSTP')
    },
    lend,
    edit: text => lend(() => edit(text)),
    copy: text => {
      // An id is copied only where it cannot be anything else than one.
      const isPlain = /^[\w./:@-]{1,200}$/.test(text)
      if (isPlain) write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
      return isPlain
    },
    onGone: listener => added(gone, listener),
    close: () => {
      stdin.off('data', hear)
      stdin.off('end', lose)
      stdin.pause()
      stdout.off('resize', repaint)
      process.off('exit', giveBack)
      giveBack()
    },
  }
}

function added<T>(set: Set<T>, one: T): () => void {
  set.add(one)
  return () => set.delete(one)
}

/** A terminal that is gone takes nothing back. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // nothing is left to be given back
  }
}
