import { readFileSync, readlinkSync } from 'node:fs'

/** A small file of /proc or /etc; empty where it is not there or may not be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Where a link of /proc points; empty where it is not there or may not be read. */
export function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
