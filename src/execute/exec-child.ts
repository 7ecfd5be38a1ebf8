import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { CommandEnd } from '../core/exit-verdict.js'
import { type Pumped, pump } from './exec-output.js'
import { makePipe } from './exec-pipe.js'
import type { Output, PassedSignal, Tap } from './exec-streams.js'

/** A command line and the world it runs in, as the program around it hands them down. */
export interface CommandLine {
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** null: the stream is the command's own, so that a terminal stays one and nothing of it is seen here */
  readonly stdout: Tap | null
  readonly stderr: Tap | null
  /** it shares our terminal, and with it our process group: what is typed there reaches it without us */
  readonly onTerminal: boolean
  /** aborted: it is not to be started any more */
  readonly stopping: AbortSignal
  /** how long it may take to end after it was told to stop */
  readonly graceMs: number
  /** hands the signals that we get to the listener, until what it returns is called */
  readonly onSignal: (listener: (signal: PassedSignal) => void) => () => void
  /** signals a whole process group */
  readonly signalGroup: (leader: number, signal: PassedSignal) => void
}

export interface Ran {
  readonly end: CommandEnd
  /** why it was told to stop; null where it was not */
  readonly stopped: string | null
  /** null where the stream was the command's own */
  readonly stdout: Output | null
  readonly stderr: Output | null
}

/** A process that outlives the command may hold its streams open: after this much silence they are let go. */
const DRAIN_MS = 1_000

/**
 * Runs a command in a process group of its own, and waits for its end. Told to stop, by `signal` or by a signal that
 * we get, the group gets SIGTERM or that signal, and SIGKILL after the grace. Never rejects.
 */
export async function runCommand(command: CommandLine, signal: AbortSignal): Promise<Ran> {
  let forward: ((signal: PassedSignal) => void) | undefined
  // First: a quick command may be heard of, and a signal sent for it, before the next line here.
  const release = command.onSignal(signal => forward?.(signal))
  const started = start(command)
  if (!('child' in started)) {
    release()
    return { end: started, stopped: null, stdout: null, stderr: null }
  }
  const { child, ...pumps } = started
  const stopping = stopper(command, child)
  forward = stopping.forward
  const onAbort = () => stopping.stop('SIGTERM', messageOf(signal.reason))
  signal.addEventListener('abort', onAbort)
  const end = await ended(child)
  release()
  signal.removeEventListener('abort', onAbort)
  await drained(pumps)
  stopping.clear()
  return { end, stopped: stopping.why(), ...pumps }
}

interface Started extends Pumps {
  readonly child: ChildProcess
}

interface Pumps {
  readonly stdout: Pumped | null
  readonly stderr: Pumped | null
}

function start(command: CommandLine): Started | NotStarted {
  const {
    argv: [file, ...args],
    env,
    cwd,
    onTerminal,
  } = command
  const stdout = wayOf(command.stdout)
  const stderr = wayOf(command.stderr)
  try {
    const stdio = ['inherit', stdout.stdio, stderr.stdio] as const
    const child = spawn(file, args, { env, cwd, detached: !onTerminal, stdio: [...stdio] })
    return { child, stdout: stdout.pumped(child.stdout), stderr: stderr.pumped(child.stderr) }
  } catch (error) {
    // A NUL in an argument, for instance: thrown before any process is made.
    return notStarted(error)
  } finally {
    // The command has ends of its own; while ours are open its output never ends.
    for (const { stdio } of [stdout, stderr]) if (typeof stdio === 'number') closeSync(stdio)
  }
}

/** How a stream of the command goes: straight to ours, through a pipe, or through what `spawn` calls one. */
function wayOf(tap: Tap | null) {
  if (tap === null) return { stdio: 'inherit', pumped: () => null } as const
  const pipe = makePipe()
  if (pipe !== null) return { stdio: pipe.write, pumped: () => pump(pipe.read, tap) } as const
  return { stdio: 'pipe', pumped: (stream: ChildProcess['stdout']) => stream && pump(stream, tap) } as const
}

function ended(child: ChildProcess): Promise<CommandEnd> {
  return new Promise(resolve => {
    // 'error' also tells of a signal that could not be sent; only without a process was nothing started.
    child.on('error', error => {
      if (child.pid === undefined) resolve(notStarted(error))
    })
    child.on('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal })
    })
  })
}

type NotStarted = Extract<CommandEnd, { kind: 'not_started' }>

function notStarted(error: unknown): NotStarted {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
  return { kind: 'not_started', code, message: messageOf(error) }
}

async function drained({ stdout, stderr }: Pumps): Promise<void> {
  const pumps = [stdout, stderr].filter(one => one !== null)
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<void>(resolve => {
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(resolve, DRAIN_MS)
    }
    for (const one of pumps) one.onChunk = wait
    wait()
  })
  await Promise.race([Promise.all(pumps.map(({ done }) => done)), silence])
  clearTimeout(timer)
  for (const one of pumps) one.letGo()
}

/** Passes signals on, and sees to it that a group told to stop is gone after the grace. */
function stopper({ onTerminal, graceMs, signalGroup }: CommandLine, child: ChildProcess) {
  let stopped: string | null = null
  let killing: NodeJS.Timeout | undefined
  return {
    why: () => stopped,
    stop,
    forward: (signal: PassedSignal) => {
      // What these mean only the command knows; they would end whatever it started.
      if (signal === 'SIGUSR1' || signal === 'SIGUSR2') return void child.kill(signal)
      // On a terminal ctrl-c went to the whole group already; twice is "at once" to many programs.
      const isThere = onTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')
      stop(isThere ? null : signal, `it got ${signal}`)
    },
    clear: () => {
      if (killing === undefined) return
      clearTimeout(killing)
      // It ended; what it started and left behind has had its chance.
      send('SIGKILL')
    },
  }

  function stop(signal: PassedSignal | null, why: string): void {
    stopped ??= why
    if (signal !== null) send(signal)
    killing ??= setTimeout(() => send('SIGKILL'), graceMs)
  }

  function send(signal: PassedSignal): void {
    if (child.pid === undefined) return
    if (onTerminal) child.kill(signal)
    else signalGroup(child.pid, signal)
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
