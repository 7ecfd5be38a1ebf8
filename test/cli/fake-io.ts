import type { Entry } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands/index.js'
import type { Io } from '../../src/cli/io.js'
import { run } from '../../src/cli/main.js'

interface Given {
  readonly entries?: readonly Entry[]
  readonly env?: Record<string, string>
  /** width of the terminal that stdout and stderr are; absent: pipes */
  readonly terminal?: number
  /** lines the person types when asked; absent: nobody can be asked */
  readonly answers?: readonly string[]
  readonly stdin?: string
  /** stdout takes so many writes, then its reader is gone */
  readonly takes?: number
  readonly now?: number
  readonly cwd?: string
  /** aborted: the command was told to stop */
  readonly signal?: AbortSignal
}

export const NOON = Date.parse('2026-03-01T12:00:00Z')

/** Runs a command line in this process on streams of its own. */
export async function runCli(argv: readonly string[], given: Given = {}) {
  const out: string[] = []
  const err: string[] = []
  const asked: string[] = []
  const answers = [...(given.answers ?? [])]
  const isTerminal = given.terminal !== undefined
  const columns = () => given.terminal
  const io: Io = {
    stdout: {
      isTerminal,
      columns,
      write: async text => {
        if (out.length >= (given.takes ?? Number.POSITIVE_INFINITY)) return false
        out.push(text)
        return true
      },
      pass: async bytes => out.push(Buffer.from(bytes).toString()) > 0,
    },
    stderr: {
      isTerminal,
      columns,
      write: async text => err.push(text) > 0,
      pass: async bytes => err.push(Buffer.from(bytes).toString()) > 0,
    },
    canAsk: given.answers !== undefined,
    ask: async question => {
      asked.push(question)
      return answers.shift()
    },
    readAll: async () => given.stdin ?? '',
    lines: async function* () {
      yield* (given.stdin ?? '').split('\n')
    },
    env: given.env ?? {},
    cwd: given.cwd ?? '/',
  }
  const code = await run(argv, {
    io,
    signal: given.signal ?? new AbortController().signal,
    onSignal: () => () => {},
    clock: () => given.now ?? NOON,
    entries: given.entries ?? COMMANDS,
  })
  return { code, out: out.join(''), err: err.join(''), asked }
}
