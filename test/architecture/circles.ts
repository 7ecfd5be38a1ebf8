import { join } from 'node:path'
import type { Source } from './source.js'

/**
 * Files that need one another to load, each circle once: `a → b → a`. Types are gone by then, and what is loaded later
 * finds the rest there.
 */
export function circles(files: ReadonlyMap<string, Source>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  for (const file of files.keys()) visit(file)
  return found

  function visit(file: string): void {
    const from = path.indexOf(file)
    if (from >= 0) found.push([...path.slice(from), file].join(' → '))
    if (from >= 0 || done.has(file)) return
    path.push(file)
    for (const next of neededBy(file, files)) visit(next)
    path.pop()
    done.add(file)
  }
}

function neededBy(file: string, files: ReadonlyMap<string, Source>): string[] {
  const imports = files.get(file)?.imports ?? []
  return imports
    .filter(({ from, isLazy, isType }) => from.startsWith('.') && !isLazy && !isType)
    .flatMap(({ from }) => ENDINGS.map(ending => join(file, '..', from).replace(/\.js$/, ending)))
    .filter(path => files.has(path))
}

const ENDINGS = ['.ts', '.tsx']
