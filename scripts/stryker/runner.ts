import { readdirSync } from 'node:fs'
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allCollected, type Collected, collect } from './collected.js'

/**
 * A test runner for Stryker that loads the tests of the core once and runs them many times: thousands of mutants in
 * minutes, where starting vitest for each takes hours. The tests of the core are plain functions without set-up, so
 * nothing of vitest is needed but `expect`. Searches that take half a minute each are left out: what only they
 * notice is counted as not noticed.
 */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded-once', factory: loadedOnce }]

const TOO_LONG = ['verdict/exhaustive.test.ts', 'verdict/contradictions.test.ts']

// `vitest` is what collects the tests, for all but that itself.
const COLLECTED = new URL('./collected.ts', import.meta.url).href
const RESOLVE = `export const resolve = (asked, context, next) =>
  asked === 'vitest' && context.parentURL?.split('?')[0] !== '${COLLECTED}'
    ? { url: '${COLLECTED}', shortCircuit: true }
    : next(asked, context)`

/** What instrumented sources read and write (`__stryker__`). */
interface Instrumented {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: object; perTest: object } | undefined
}

interface MutantRun {
  readonly activeMutant: { readonly id: string }
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
}

loadedOnce.inject = ['options'] as const
function loadedOnce({ testFiles = [] }: { readonly testFiles?: readonly string[] }) {
  /** `--testFiles test/core/stall`: those alone, which saves most of the first run */
  const folders = testFiles.map(named => named.replace(/\*.*$/, ''))
  const seen: Instrumented = {}
  Reflect.set(globalThis, '__stryker__', seen)
  /** how long each test took when it ran last, ms */
  const took = new Map<string, number>()
  let runs = 0
  let isSpoiled = false

  async function failureOf({ id, run }: Collected): Promise<string | null> {
    const from = performance.now()
    try {
      await run()
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      took.set(id, performance.now() - from)
    }
  }

  return {
    // static mutants are left out, and no other needs the sources loaded anew: said otherwise, each that is passed
    // while a file loads as well would get a process of its own
    capabilities: () => ({ reloadEnvironment: true }),

    async init() {
      register(`data:text/javascript,${encodeURIComponent(RESOLVE)}`)
      const root = join(process.cwd(), 'test/core')
      for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
        const file = `test/core/${name}`
        if (!name.endsWith('.test.ts') || TOO_LONG.includes(name)) continue
        if (folders.length > 0 && !folders.some(folder => file.startsWith(folder))) continue
        await collect(file, () => import(pathToFileURL(join(root, name)).href))
      }
    },

    async dryRun() {
      const tests: object[] = []
      for (const test of allCollected()) {
        seen.currentTestId = test.id
        const failure = await failureOf(test)
        tests.push({
          id: test.id,
          name: test.id,
          timeSpentMs: took.get(test.id),
          ...(failure === null ? { status: 0 } : { status: 1, failureMessage: failure }),
        })
      }
      seen.currentTestId = undefined
      return { status: 'complete', tests, mutantCoverage: seen.mutantCoverage }
    },

    async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun) {
      // what an earlier mutant left in memory says nothing about this one: Stryker starts another process and asks again
      if (isSpoiled) throw new Error('an earlier mutant left something behind')
      runs += 1
      const asked = new Set(testFilter)
      const tests = allCollected()
        .filter(({ id }) => testFilter === undefined || asked.has(id))
        // most mutants fall to a test of a millisecond: those of a second come last
        .sort((a, b) => (took.get(a.id) ?? 0) - (took.get(b.id) ?? 0))
      for (const [n, test] of tests.entries()) {
        Object.assign(seen, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
        const failure = await failureOf(test)
        const isEndless = hitLimit !== undefined && (seen.hitCount ?? 0) > hitLimit
        Object.assign(seen, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
        if (isEndless) return { status: 'timeout', reason: 'it was passed too often' }
        if (failure === null) continue
        if ((await failureOf(test)) !== null) {
          isSpoiled = true
          if (runs > 1) throw new Error('the test fails without the mutant too')
        }
        return { status: 'killed', killedBy: [test.id], failureMessage: failure, nrOfTests: n + 1 }
      }
      return { status: 'survived', nrOfTests: tests.length }
    },

    dispose: async () => {},
  }
}
