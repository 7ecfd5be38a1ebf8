import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'

interface Given {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  readonly cwd?: string
}

/** A program on a real pseudo-terminal, with a screen that shows what a person would see. */
export function onTerminal(
  file: string,
  argv: readonly string[],
  { columns = 80, rows = 24, env = {}, cwd }: Given = {},
) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 })
  const bytes: string[] = []
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(file, [...argv], {
    cols: columns,
    rows,
    env: { PATH, HOME, TERM: 'xterm-256color', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  child.onData(data => {
    bytes.push(data)
    screen.write(data)
  })
  const ended = new Promise<number>(resolve => {
    child.onExit(({ exitCode }) => screen.write('', () => resolve(exitCode)))
  })
  const lines = () => {
    const { active } = screen.buffer
    return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
  }
  return {
    pid: child.pid,
    type: (text: string) => child.write(text),
    resize: (to: { readonly columns: number; readonly rows: number }) => {
      screen.resize(to.columns, to.rows)
      child.resize(to.columns, to.rows)
    },
    /** what stands on the screen now, without what was scrolled away */
    screen: () => {
      const { active } = screen.buffer
      return Array.from(
        { length: screen.rows },
        // what was wider before is no longer seen
        (_, i) => active.getLine(active.viewportY + i)?.translateToString(true, 0, screen.cols) ?? '',
      )
    },
    /** the same in pieces of one look each: bold, dim, inverse, and c1 to c6 for the terminal's own colours */
    cells: () =>
      Array.from({ length: screen.rows }, (_, i) => {
        const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + i)
        const pieces: { text: string; readonly classes: readonly string[] }[] = []
        for (let column = 0; column < screen.cols; column++) {
          const cell = line?.getCell(column)
          if (cell === undefined || cell.getWidth() === 0) continue
          const classes = [
            ...(cell.isBold() ? ['bold'] : []),
            ...(cell.isDim() ? ['dim'] : []),
            ...(cell.isInverse() ? ['inverse'] : []),
            ...(cell.isFgPalette() ? [`c${cell.getFgColor()}`] : []),
          ]
          const last = pieces.at(-1)
          const text = cell.getChars() === '' ? ' ' : cell.getChars()
          if (last !== undefined && last.classes.join() === classes.join()) last.text += text
          else pieces.push({ text, classes })
        }
        return pieces
      }),
    /** the person closes the window: nobody reads any more */
    // the class has it, the interface that `spawn` hands out does not
    hangUp: () => (child as unknown as { destroy: () => void }).destroy(),
    ended,
    /** what was sent, escape sequences included */
    sent: () => bytes.join(''),
    text: () => lines().join('\n').trimEnd(),
    /** Waits until the screen shows it; the test's own time limit ends the waiting. */
    shows: async (wanted: string) => {
      while (!lines().join('\n').includes(wanted)) await new Promise(resolve => setTimeout(resolve, 10))
    },
  }
}
