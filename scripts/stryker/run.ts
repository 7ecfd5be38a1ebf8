import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Mutates the files that the globs name, or the whole core; mutants that nothing changed for are not run again. */
export function stryker(globs: readonly string[]): boolean {
  const named = globs.length === 0 ? [] : ['--mutate', globs.join(',')]
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/stryker'), ['run', ...named], {
    cwd: ROOT,
    stdio: 'inherit',
    // the test runner is TypeScript, in every process that loads it
    env: { ...process.env, NODE_OPTIONS: '--import tsx' },
  })
  return status === 0
}
