import type { Seeded } from '../../proof/seeded.js'
import type { SystemCall } from '../trace.js'

/**
 * A disk with a cache that a power cut empties. It takes the system calls of one process; what was not synced since may
 * be there or not, whole or in part. Nothing is assumed of the file system beyond that: a new name is there for certain
 * only once its directory was synced, and unsynced writes may reach the disk in any order.
 */
export interface Disk {
  take(call: SystemCall): void
  /** what may be found after the power was cut now: the bytes of each file by its path */
  image(survives: Survival): ReadonlyMap<string, Buffer>
  /** changes that are not synced */
  unsynced(): number
}

/** Which of the unsynced changes a power cut leaves. */
export interface Survival {
  readonly name: 'all' | 'none' | 'some' | 'torn'
  readonly random: Seeded
}

interface File {
  durable: Buffer
  readonly pending: Change[]
  /** where the next `write` goes */
  end: number
}

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }

/** A name that comes (with its file) or goes (null). */
interface Naming {
  readonly path: string
  readonly file: File | null
}

const SECTOR = 512

/** Only what lies in this folder. The shared memory of SQLite (`-shm`) is no part of a disk's promise. */
export function createDisk(folder: string): Disk {
  const names = new Map<string, File>()
  const durableNames = new Map<string, File>()
  const naming: Naming[] = []
  const opened = new Map<number, File | 'folder'>()

  function name(path: string, file: File | null): void {
    if (file === null) names.delete(path)
    else names.set(path, file)
    naming.push({ path, file })
  }

  function open(path: string, flags: string): File | 'folder' | undefined {
    if (path === folder) return 'folder'
    if (!path.startsWith(`${folder}/`) || path.endsWith('-shm')) return undefined
    const known = names.get(path)
    const file = known ?? { durable: Buffer.alloc(0), pending: [], end: 0 }
    if (known === undefined && flags.includes('O_CREAT')) name(path, file)
    if (flags.includes('O_TRUNC')) file.pending.push({ kind: 'truncate', size: 0 })
    return file
  }

  function sync(of: File | 'folder'): void {
    if (of !== 'folder') {
      of.durable = applied(of.durable, of.pending)
      of.pending.length = 0
      return
    }
    for (const change of naming.splice(0)) apply(durableNames, change)
  }

  return {
    take(call) {
      if (call.call === 'open') {
        const file = open(call.path, call.flags)
        if (file === undefined) opened.delete(call.fd)
        else opened.set(call.fd, file)
      } else if (call.call === 'link' || call.call === 'rename') {
        const file = names.get(call.from)
        if (file === undefined) return
        name(call.to, file)
        if (call.call === 'rename') name(call.from, null)
      } else if (call.call === 'unlink') {
        if (names.has(call.path)) name(call.path, null)
      } else {
        const file = opened.get(call.fd)
        if (file === undefined) return
        if (call.call === 'close') opened.delete(call.fd)
        else if (call.call === 'sync') sync(file)
        else if (file === 'folder') return
        else if (call.call === 'truncate') file.pending.push({ kind: 'truncate', size: call.size })
        else {
          const at = call.at ?? file.end
          file.end = at + call.bytes.length
          file.pending.push({ kind: 'write', at, bytes: call.bytes })
        }
      }
    },
    image(survives) {
      const found = new Map(durableNames)
      for (const change of naming) if (isKept(survives)) apply(found, change)
      return new Map(
        [...found].map(([path, { durable, pending }]) => [path, survived(durable, pending, survives)]),
      )
    },
    unsynced: () => naming.length + [...names.values()].reduce((sum, { pending }) => sum + pending.length, 0),
  }
}

function apply(names: Map<string, File>, { path, file }: Naming): void {
  if (file === null) names.delete(path)
  else names.set(path, file)
}

function survived(durable: Buffer, pending: readonly Change[], survives: Survival): Buffer {
  const kept = pending.flatMap((change): Change[] => {
    if (survives.name === 'torn' && change.kind === 'write')
      return sectorsOf(change).filter(() => isKept(survives))
    return isKept(survives) ? [change] : []
  })
  return applied(durable, kept)
}

function isKept({ name, random }: Survival): boolean {
  return name === 'all' || (name !== 'none' && random.chance(0.5))
}

/** A write in the pieces that a disk writes whole. */
function sectorsOf({ at, bytes }: Extract<Change, { kind: 'write' }>): Change[] {
  const sectors: Change[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR))
    sectors.push({ kind: 'write', at: at + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return sectors
}

function applied(durable: Buffer, changes: readonly Change[]): Buffer {
  let size = durable.length
  let room = Buffer.from(durable)
  for (const change of changes) {
    const needed = change.kind === 'write' ? change.at + change.bytes.length : change.size
    if (needed > room.length) room = Buffer.concat([room, Buffer.alloc(needed * 2 - room.length)])
    if (change.kind === 'write') {
      change.bytes.copy(room, change.at)
      size = Math.max(size, needed)
    } else {
      room.fill(0, change.size)
      size = change.size
    }
  }
  return room.subarray(0, size)
}
