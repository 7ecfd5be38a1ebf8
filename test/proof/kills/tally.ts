import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Bundle } from '../../support/bundle.js'
import { at } from '../seeded.js'
import { type LedgerPlace, type RunFound, runCase } from './one-run.js'
import { caseOf, type RunCase } from './run-case.js'
import { SERVICES } from './services.js'

export interface Done {
  readonly one: RunCase
  readonly found: RunFound
}

/** Runs the seeds, some at a time; `each` hears of every one that is done. */
export async function runSeeds(
  program: Bundle,
  seeds: readonly number[],
  each: (done: Done) => void = () => {},
): Promise<Done[]> {
  return runCases(program, seeds.map(caseOf), each)
}

/** The same for cases that were put together, and ledgers elsewhere. */
export async function runCases(
  program: Bundle,
  cases: readonly RunCase[],
  each: (done: Done) => void = () => {},
  place?: LedgerPlace,
): Promise<Done[]> {
  const waiting = [...cases]
  const all: Done[] = []
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const run = one
      const found = await runCase(program, run, place).catch((error: unknown) => {
        throw new Error(`${nameOf(run)}: the run itself failed`, { cause: error })
      })
      all.push({ one: run, found })
      each({ one: run, found })
      await nextTurn()
    }
  }
  await Promise.all([work(), work(), work()])
  return all
}

export function nameOf({ seed, service, trouble, place, decision }: RunCase): string {
  const where = decision === null ? place.name : `${place.name} (${decision})`
  return `seed ${seed}: killed ${where}; a service that is ${at(SERVICES, service).name}; ${trouble.name}`
}

/** One line a law broken. */
export function findsOf(all: readonly Done[]): string[] {
  return all.flatMap(({ one, found }) =>
    found.finds.map(({ law, detail }) => `${nameOf(one)}: ${law}: ${detail}`),
  )
}

/** What runs came to, in one line. */
export function totals(all: readonly Done[]): string {
  const sum = (of: (found: RunFound) => number) => all.reduce((total, { found }) => total + of(found), 0)
  const seeds = all.map(({ one }) => one.seed)
  return [
    `${all.length} runs (seeds ${Math.min(...seeds)} to ${Math.max(...seeds)})`,
    `${sum(({ kills }) => kills)} processes killed`,
    `${sum(({ operations }) => operations)} operations, ${sum(({ inDoubt }) => inDoubt)} found in doubt and settled by truth`,
    `${sum(({ effects }) => effects)} effects`,
    `${sum(({ duplicatesAllowed }) => duplicatesAllowed)} repeats that a person allowed knowing the risk`,
    `${findsOf(all).length} laws broken`,
  ].join(', ')
}

/** The same, and how often each place was died at. */
export function tally(all: readonly Done[]): string {
  const places = new Map<string, number>()
  for (const { one, found } of all)
    places.set(one.place.name, (places.get(one.place.name) ?? 0) + (found.wasHit ? 1 : 0))
  return [totals(all), ...[...places].map(([place, hits]) => `  ${String(hits).padStart(5)}  ${place}`)].join(
    '\n',
  )
}
