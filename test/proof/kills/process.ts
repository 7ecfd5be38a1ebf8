import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Bundle } from '../../support/bundle.js'
import type { Job } from './job.js'

/** How a process of a run ended. */
export interface Ended {
  readonly wasKilled: boolean
  /** what it said before, line by line */
  readonly said: readonly string[]
}

/** When it dies: at a point that it passes itself, or when somebody outside says so, told once the ledger is open. */
export interface Death {
  readonly dyingAt: string | null
  readonly meanwhile?: (kill: () => void) => void
}

/** A process that hangs is a fault like any other. None needs a hundredth of this, but where thirty share a processor. */
const LONGEST_MS = 300_000

/** Runs one to its end. */
export async function ran(program: Bundle, job: Job, { dyingAt, meanwhile }: Death): Promise<Ended> {
  const child = spawn(process.execPath, [...program.argv, JSON.stringify(job)], {
    env: { ...process.env, ...program.env, AGENT_LEDGER_CRASH_AT: dyingAt ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let wrong = ''
  child.stdout.on('data', data => {
    if (printed === '') meanwhile?.(() => child.kill('SIGKILL'))
    printed += String(data)
  })
  child.stderr.on('data', data => {
    wrong += String(data)
  })
  const hanging = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS)
  const [code, signal] = await once(child, 'close')
  clearTimeout(hanging)
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`the process of ${JSON.stringify(job)} ended with ${code ?? signal}: ${wrong}`)
  return { wasKilled: signal === 'SIGKILL', said: printed.split('\n').filter(line => line !== '') }
}
