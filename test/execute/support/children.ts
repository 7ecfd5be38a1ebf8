import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled } from '../../support/bundled.js'
import { spawned } from './spawned.js'

const RUNNER = bundled(join(import.meta.dirname, 'runner-program.ts'))

export interface Told {
  readonly path: string
  /** what the outside world is: one line an effect */
  readonly world: string
  readonly role: string
  readonly crashAt?: string
}

export interface Child {
  readonly pid: number
  /** waits until the child printed a line that holds the text */
  until(text: string): Promise<void>
  /** sends it a line */
  tell(): void
  kill(): Promise<void>
  /** waits for its end; what it printed last, as JSON */
  end(): Promise<{ signal: string | null; said: unknown }>
}

/** A process of its own that runs an operation, see runner-program.ts. */
export function aChild({ path, world, role, crashAt }: Told): Child {
  const { child, printed, closed } = spawned(RUNNER, [role, path, world], crashAt)
  return {
    pid: child.pid ?? 0,
    until: async text => {
      while (!printed().includes(text)) await once(child.stdout, 'data')
    },
    tell: () => {
      child.stdin.write('go\n')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
    end: async () => {
      const [, signal] = await closed
      const last = printed().trim().split('\n').at(-1) ?? ''
      return { signal, said: last === '' ? null : JSON.parse(last) }
    },
  }
}

/** Runs a child to its end. */
export function ranTo(told: Told): ReturnType<Child['end']> {
  return aChild(told).end()
}

/** The effects that truly happened. */
export function effectsOf(world: string): string[] {
  if (!existsSync(world)) return []
  return readFileSync(world, 'utf8')
    .split('\n')
    .filter(line => line !== '')
}
