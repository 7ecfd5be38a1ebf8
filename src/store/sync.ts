import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What was written to a file is on the disk after this; of a folder, the names in it. */
export function sync(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
