import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const NODE_MODULES = join(import.meta.dirname, '..', '..', 'node_modules')

/** A program of the tests in one file. */
export interface Bundle {
  /** what comes after `node` on the command line */
  readonly argv: readonly string[]
  /** where it finds the packages that cannot be bundled */
  readonly env: Readonly<Record<string, string>>
}

/** A place for a bundle, what makes it, and what takes it away again. */
export function bundleOf(source: string) {
  const folder = bundleFolder()
  const outfile = join(folder, 'program.cjs')
  return {
    bundle: bundleIn(outfile),
    make: () => build(howToBundle(source, outfile)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export function bundleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-program-'))
  chmodSync(folder, 0o755) // for programs that a test starts as another user
  return folder
}

export function bundleIn(outfile: string): Bundle {
  return { argv: [outfile], env: { NODE_PATH: NODE_MODULES } }
}

export function howToBundle(source: string, outfile: string): BuildOptions {
  return {
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // the screen is tried on the built program: its packages wait while they are loaded, which CommonJS cannot
    external: ['better-sqlite3', 'ink', 'react'],
    logLevel: 'error',
  }
}
