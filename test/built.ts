import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Builds dist/ before the tests when a source is newer, so that tests of the real program never run an old one. */
export function setup(): void {
  const sources = ['src', 'bin', 'scripts'].map(folder => newest(join(root, folder)))
  if (Math.max(...sources) > oldestOutput()) {
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' })
  }
}

function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Math.max(...entries.map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

// The manual pages are written last.
function oldestOutput(): number {
  const last = statSync(join(root, 'dist/man/agent-ledger.1'), { throwIfNoEntry: false })
  return last?.mtimeMs ?? 0
}
