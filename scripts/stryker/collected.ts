/** One test of a file that was loaded: `it` in words, and what it does. */
export interface Collected {
  /** its file, the suites it stands in, its title, and its number where several share all of that */
  readonly id: string
  readonly run: () => unknown
}

const collected: Collected[] = []
const suites: string[] = []
let file = ''

/** Loads a test file: what it declares is added to the tests. */
export async function collect(name: string, load: () => Promise<unknown>): Promise<void> {
  file = name
  await load()
}

export function allCollected(): readonly Collected[] {
  return collected
}

// What a test file sees as `vitest`, so far as the tests of the core use it. Anything else is a fault at once.
// Nobody imports it by this name: the runner puts this module in the place of `vitest`.

/** @public */
export { expect } from 'vitest'
/** @public */
export const it = Object.assign(add, { each: eachOf(add) })
/** @public */
export const test = it
/** @public */
export const describe = Object.assign(within, { each: eachOf(within) })

type Body = (...args: readonly unknown[]) => unknown

function add(title: string, run: Body): void {
  const name = [file, ...suites, title].join(' › ')
  const same = collected.filter(({ id }) => id === name || id.startsWith(`${name} #`)).length
  collected.push({ id: same === 0 ? name : `${name} #${same + 1}`, run: () => run() })
}

function within(title: string, body: Body): void {
  suites.push(title)
  body()
  suites.pop()
}

function eachOf(declare: (title: string, body: Body) => void) {
  return (rows: readonly unknown[]) => (title: string, body: Body) => {
    for (const row of rows) declare(title, () => (Array.isArray(row) ? body(...row) : body(row)))
  }
}
