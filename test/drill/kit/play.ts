import { execa } from 'execa'
import type { Stage } from './stage.js'

/** A command that was typed, what it printed on both streams, and how it ended. */
export interface Played {
  readonly line: string
  readonly printed: string
  readonly code: number
}

/** Runs the lines as a person would type them, one after the other, each in a shell of its own. */
export async function play(lines: readonly string[], stage: Stage): Promise<readonly Played[]> {
  const played: Played[] = []
  for (const line of lines) {
    const { all = '', exitCode = -1 } = await execa('bash', ['-c', stage.addressed(line)], {
      all: true,
      cwd: stage.folder,
      env: stage.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      stripFinalNewline: false,
    })
    played.push({ line, printed: stage.steadied(all), code: exitCode })
  }
  return played
}
