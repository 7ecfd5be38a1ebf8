import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder on the machine's own disk, gone after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-fault-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of its own, as only root can make one. */
export function aSmallDisk(size: string) {
  const place = join(aFolder(), 'disk')
  mkdirSync(place)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place])
  onTestFinished(() => {
    execFileSync('umount', [place])
  })
  return {
    place,
    remount: (options: string) => void execFileSync('mount', ['-o', `remount,${options}`, place]),
  }
}

export const isRoot = process.geteuid?.() === 0
