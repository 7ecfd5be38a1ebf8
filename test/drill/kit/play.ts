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
    // one pipe for both streams, as a terminal is: two are read in whatever order they fill
    const { stdout, exitCode = -1 } = await execa('bash', ['-c', `exec 2>&1\n${stage.addressed(line)}`], {
      cwd: stage.folder,
      env: stage.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      stripFinalNewline: false,
    })
    played.push({ line, printed: stage.steadied(stdout), code: exitCode })
  }
  return played
}
