import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty directory that is gone after the test. */
export function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'agent-ledger-test-'))
  chmodSync(directory, 0o755) // reachable by the ordinary user of asOrdinaryUser
  onTestFinished(() => {
    chmodSync(directory, 0o755)
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Every file of a directory with a digest of its bytes: equal before and after means untouched. */
export function contentsOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).sort()
  return Object.fromEntries(names.map(name => [name, digestOfFile(join(directory, name))]))
}

function digestOfFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}

/** Makes a directory that nobody may write, for as long as the test runs. */
export function makeUnwritable(directory: string): void {
  chmodSync(directory, 0o555)
}

/** Runs as a user to whom permissions apply: root may write everywhere. 65534 is "nobody". */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  const { geteuid, seteuid } = process
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) return work()
  seteuid(65534)
  try {
    return await work()
  } finally {
    seteuid(0)
  }
}

export function aDirectoryIn(parent: string, name: string): string {
  const directory = join(parent, name)
  mkdirSync(directory)
  return directory
}
