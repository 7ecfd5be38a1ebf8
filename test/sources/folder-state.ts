import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Everything in a folder that reading must leave as it is: names, bytes, modes and times of change. */
export function folderState(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map(name => {
        const path = join(folder, name)
        const { mode, mtimeMs, size, nlink } = lstatSync(path)
        const digest = lstatSync(path).isFile()
          ? createHash('sha256').update(readFileSync(path)).digest('hex')
          : ''
        return [name, `${mode.toString(8)} ${mtimeMs} ${size} ${nlink} ${digest}`]
      }),
  )
}
