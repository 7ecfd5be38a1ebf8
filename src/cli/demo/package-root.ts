import { dirname } from 'node:path'

/** The folder of this package: both this module and the chunk it is bundled into lie two folders or more below. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname)

function rootAbove(folder: string): string {
  const parent = dirname(folder)
  return folder.endsWith('src') || folder.endsWith('dist') ? parent : rootAbove(parent)
}
