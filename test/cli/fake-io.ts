import type { Commands, Entry } from '../../src/cli/command.js'
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
  /** happens before the person answers; with no answer left they type the code that is asked for, or y */
  readonly onAsk?: () => Promise<void>
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
  const rows = () => (isTerminal ? 24 : undefined)
  const io: Io = {
    stdout: {
      isTerminal,
      columns,
      rows,
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
      rows,
      write: async text => err.push(text) > 0,
      pass: async bytes => err.push(Buffer.from(bytes).toString()) > 0,
    },
    canAsk: given.answers !== undefined,
    ask: async question => {
      asked.push(question)
      if (given.onAsk === undefined) return answers.shift()
      await given.onAsk()
      return answers.shift() ?? /Type (\S+) to confirm/.exec(question)?.[1] ?? 'y'
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
    commands: given.entries === undefined ? COMMANDS : commandsOf(given.entries),
  })
  return { code, out: out.join(''), err: err.join(''), asked }
}

/** A registry of commands that are there already. */
export function commandsOf(entries: readonly Entry[]): Commands {
  return {
    entries: new Map(entries.map(one => [one.command.name, async () => one])),
    declared: async () => entries.map(one => one.command),
  }
}
