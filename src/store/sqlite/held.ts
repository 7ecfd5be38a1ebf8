import type { Stats } from 'node:fs'

/**
 * The database files that this process has open, by device and inode. POSIX locks belong to the process,
 * not to the descriptor: reading such a file through fs would drop SQLite's locks when it is closed.
 * Kept on globalThis because the command line and a library may each bring their own copy of this module.
 */
const KEY = Symbol.for('agent-ledger.held-files')

type FileId = Pick<Stats, 'dev' | 'ino'>

export function isHeldHere(file: FileId): boolean {
  return heldFiles().has(idOf(file))
}

/** Notes that a connection is open; call what it returns once it is closed. */
export function hold(file: FileId): () => void {
  const held = heldFiles()
  const id = idOf(file)
  held.set(id, (held.get(id) ?? 0) + 1)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    const left = (held.get(id) ?? 1) - 1
    if (left > 0) held.set(id, left)
    else held.delete(id)
  }
}

function heldFiles(): Map<string, number> {
  const kept: unknown = Reflect.get(globalThis, KEY)
  if (kept instanceof Map) return kept
  const made = new Map<string, number>()
  Reflect.set(globalThis, KEY, made)
  return made
}

function idOf(file: FileId): string {
  return `${file.dev}:${file.ino}`
}
