import { dirname, resolve } from 'node:path'

/** The folder itself, then its parents up to the root. */
export function* upward(folder: string): Generator<string> {
  let here = resolve(folder)
  for (;;) {
    yield here
    const parent = dirname(here)
    if (parent === here) return
    here = parent
  }
}
