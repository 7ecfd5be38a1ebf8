import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

interface Program {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A process of its own, gone when the test is; `printed` is what it said on stdout so far. */
export function spawned({ argv, env }: Program, more: readonly string[], crashAt: string | undefined) {
  const child = spawn(process.execPath, [...argv, ...more], {
    env: {
      ...process.env,
      ...env,
      ...(crashAt === undefined ? {} : { AGENT_LEDGER_CRASH_AT: crashAt }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let printed = ''
  child.stdout.on('data', chunk => {
    printed += String(chunk)
  })
  return { child, printed: () => printed, closed: once(child, 'close') }
}
