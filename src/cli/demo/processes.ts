import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LedgerError } from '../../core/errors.js'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** How a process ended: its exit code, or the signal that ended it. */
export type Ending = number | NodeJS.Signals

export interface Service {
  readonly url: string
  end(): void
}

/** Starts a script that prints its URL and runs until its stdin ends, so it never outlives us. */
export async function startService(script: string, { env, signal }: Surroundings): Promise<Service> {
  const child = spawn(process.execPath, [script], { env, signal, stdio: ['pipe', 'pipe', 'inherit'] })
  child.on('error', () => {})
  for await (const url of createInterface({ input: child.stdout })) {
    return { url, end: () => child.stdin.end() }
  }
  throw new LedgerError('internal', `the service ended before it was ready: ${script}`, { path: script })
}

/** Runs a script to its end; what it prints goes where our own output goes. */
export async function runScript(args: readonly string[], { env, signal }: Surroundings): Promise<Ending> {
  return ending(spawn(process.execPath, args, { env, signal, stdio: ['ignore', 'inherit', 'inherit'] }))
}

/** Runs a script and keeps what it prints. */
export async function readScript(args: readonly string[], { env, signal }: Surroundings): Promise<string> {
  const child = spawn(process.execPath, args, { env, signal, stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Uint8Array[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  await ending(child)
  return Buffer.concat(chunks).toString('utf8')
}

async function ending(child: ChildProcess): Promise<Ending> {
  const [code, signal] = await once(child, 'close')
  return code ?? signal
}
