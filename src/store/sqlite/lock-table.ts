import { readFileSync } from 'node:fs'

/**
 * Does another process of this machine hold a lock on one of these files? Linux lists all POSIX locks in
 * /proc/locks (proc_locks(5)); an SQLite connection to a WAL database holds one on its -shm for as long as
 * it is open. Null where the system does not tell; a process in another PID namespace is not listed, so
 * false means only that nobody was seen.
 */
export function isLockedByOther(inodes: readonly (number | bigint)[]): boolean | null {
  let table: string
  try {
    table = readFileSync('/proc/locks', 'utf8')
  } catch {
    return null
  }
  const wanted = new Set(inodes.map(String))
  return table.split('\n').some(line => wanted.has(inodeOf(line)))
}

/** "1: POSIX  ADVISORY  READ 4242 fe:00:1835064 128 128": the inode ends the sixth column. */
function inodeOf(line: string): string {
  return line.trim().split(/\s+/)[5]?.split(':')[2] ?? ''
}
