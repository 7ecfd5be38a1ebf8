import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { FailureCode } from '../core/observation.js'
import type { ProbeWorld } from './probe.js'

export interface Program {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  readonly timeoutMs: number
  readonly maxBytes: number
}

export type Ran =
  | { readonly code: number; readonly stdout: string; readonly stderr: string; readonly digest: string }
  | { readonly failed: FailureCode; readonly why: string }

/** of what a program says on stderr, for the reason; a program can say anything */
const STDERR_KEPT = 2_000
/** a child of it may hold the pipe open after it has ended */
const DRAIN_MS = 500

/**
 * Runs a program without a shell, in a process group of its own, that is ended with all in it when its time is up, when
 * it says too much, and when it has ended. Never rejects.
 */
export function runProgram(program: Program, world: ProbeWorld): Promise<Ran> {
  return new Promise(resolve => {
    const [file = '', ...args] = program.argv
    let child: ChildProcess
    try {
      child = spawn(file, args, {
        cwd: world.folder,
        env: program.env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
    } catch (error) {
      return resolve({ failed: 'program_failed', why: messageOf(error) })
    }
    const { pid, stdin, stdout, stderr } = child
    const kept: Buffer[] = []
    let bytes = 0
    let said = ''
    let isOver = false
    const end = (ran: Ran) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      world.signal.removeEventListener('abort', onAbort)
      // What it left behind holds our pipes and may go on for ever: the whole group goes.
      if (pid !== undefined) world.signalGroup(pid, 'SIGKILL')
      stdout?.destroy()
      stderr?.destroy()
      resolve(ran)
    }
    const timer = setTimeout(
      () => end({ failed: 'timed_out', why: `${file} did not end within ${program.timeoutMs} ms` }),
      program.timeoutMs,
    )
    const onAbort = () => end({ failed: 'timed_out', why: 'it was told to stop' })
    world.signal.addEventListener('abort', onAbort, { once: true })
    if (world.signal.aborted) return onAbort()
    stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > program.maxBytes)
        return end({ failed: 'too_large', why: `${file} said more than ${program.maxBytes} bytes` })
      kept.push(chunk)
    })
    stderr?.on('data', (chunk: Buffer) => {
      if (said.length < STDERR_KEPT) said += chunk.toString('utf8').slice(0, STDERR_KEPT - said.length)
    })
    child.on('error', error => end({ failed: 'program_failed', why: `${file}: ${messageOf(error)}` }))
    const done = (code: number | null, signal: string | null) => {
      if (code === null) return end({ failed: 'program_failed', why: `${file} was ended by ${signal}` })
      const out = Buffer.concat(kept)
      end({
        code,
        stdout: out.toString('utf8'),
        stderr: said,
        digest: createHash('sha256').update(out).digest('hex'),
      })
    }
    child.on('exit', (code, signal) => setTimeout(() => done(code, signal), DRAIN_MS).unref())
    child.on('close', done)
    // It may end without reading the question.
    stdin?.on('error', () => undefined)
    stdin?.end(program.stdin)
  })
}

/** What a program needs to be found and to find its own; everything else of the environment is named. */
export function programEnv(
  names: readonly string[],
  env: ProbeWorld['env'],
): { readonly env: Readonly<Record<string, string>> } | { readonly problem: string } {
  const missing = names.filter(name => env[name] === undefined)
  if (missing.length > 0) return { problem: `the environment has no ${missing.join(', ')}` }
  const given = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot', ...names].flatMap(name => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { env: Object.fromEntries(given) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
