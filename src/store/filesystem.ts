import { statfsSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'

/**
 * Refuses a directory on a file system where SQLite's WAL is not safe: its shared memory works on one
 * kernel only, and locks of network and shared-folder file systems have lost data of just this kind of
 * program (https://www.sqlite.org/wal.html "same host", https://www.sqlite.org/howtocorrupt.html 2.1).
 */
export function refuseUnsafeFilesystem(directory: string, typeOf = filesystemType): void {
  const type = typeOf(directory)
  const found = type === null ? undefined : UNSAFE.find(row => row.type === type)
  if (!found) return
  throw new LedgerError(
    'unsafe_filesystem',
    `${directory} is on ${found.name}, where several processes cannot share an SQLite ledger safely`,
    { path: directory, facts: { filesystem: found.name, type: `0x${found.type.toString(16)}` } },
  )
}

/** The magic number of the file system a path is on; null where the system does not say. */
export function filesystemType(path: string): number | null {
  try {
    return statfsSync(path).type >>> 0
  } catch {
    return null // a path that cannot be looked at fails with a better message when it is opened
  }
}

/** include/uapi/linux/magic.h and fs/smb/client of Linux 6.x; virtiofs and sshfs answer as FUSE. */
const UNSAFE: readonly { readonly type: number; readonly name: string }[] = [
  { type: 0x6969, name: 'NFS' },
  { type: 0xff534d42, name: 'a Windows share (CIFS)' },
  { type: 0xfe534d42, name: 'a Windows share (SMB2)' },
  { type: 0x517b, name: 'a Windows share (SMB)' },
  { type: 0x01021997, name: '9p (a folder shared by WSL or a virtual machine)' },
  { type: 0x65735546, name: 'FUSE or virtiofs (a folder shared into a container)' },
  { type: 0x786f4256, name: 'a VirtualBox shared folder' },
  { type: 0x00c36400, name: 'CephFS' },
  { type: 0x7461636f, name: 'OCFS2' },
  { type: 0x5346414f, name: 'AFS' },
  { type: 0x73757245, name: 'Coda' },
]
