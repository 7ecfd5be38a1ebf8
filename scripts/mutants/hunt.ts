import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Mutant } from './mutant.js'

const ROOT = join(import.meta.dirname, '../..')

// Without the build that the tests of the program begin with: a broken rule often leaves an import unused, which the
// compiler refuses, and then no check would run at all.
const CONFIG =
  "export default { test: { include: ['test/**/*.test.ts'], globalSetup: 'test/bundles.ts', pool: 'forks', testTimeout: 600_000, hookTimeout: 600_000 } }"

/** Hunts every mutant in a copy of the working tree; returns the ids of those that no named check killed. */
export function hunt(mutants: readonly Mutant[], say: (line: string) => void): string[] {
  const copy = copyOfSources()
  try {
    const survivors = notChecked(copy, mutants, say)
    for (const mutant of mutants) {
      if (survivors.includes(mutant.id)) continue
      const found = tryOut(copy, mutant)
      say(`${found.isKilled ? 'killed' : 'ALIVE '}  ${mutant.id.padEnd(36)} ${mutant.killedBy.test}`)
      say(`        without: ${mutant.without}; ${found.says}`)
      if (!found.isKilled) survivors.push(mutant.id)
    }
    return survivors
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Mutants whose named check is not there, or red already: it could not tell anything. */
function notChecked(copy: string, mutants: readonly Mutant[], say: (line: string) => void): string[] {
  const files = [...new Set(mutants.map(({ killedBy }) => killedBy.file))]
  const testsOf = (file: string) =>
    mutants.flatMap(({ killedBy }) => (killedBy.file === file ? [killedBy.test] : []))
  const green = new Map(files.map(file => [file, greenIn(runs(copy, file, testsOf(file)))]))
  const lost = mutants.filter(({ killedBy: { file, test } }) => green.get(file)?.has(test) !== true)
  for (const { id, killedBy } of lost)
    say(`${id}: no test of ${killedBy.file} is green and called "${killedBy.test}"`)
  return lost.map(({ id }) => id)
}

function greenIn(results: readonly Result[]): Set<string> {
  return new Set(results.filter(({ status }) => status === 'passed').map(({ title }) => title))
}

/** Everything git knows of or would add, with the packages linked: the checks run there as they do here. */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'))
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of list.toString().split('\0')) {
    if (
      !/^(?:src|test|scripts|fixtures|bin)\/|^[^/]+\.(?:json|ts)$/.test(file) ||
      !existsSync(join(ROOT, file))
    )
      continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file), { verbatimSymlinks: true })
  }
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'vitest.config.ts'), CONFIG)
  return copy
}

function tryOut(
  copy: string,
  { file, find, replace, killedBy }: Mutant,
): { isKilled: boolean; says: string } {
  const path = join(copy, file)
  const healthy = readFileSync(path, 'utf8')
  const places = healthy.split(find).length - 1
  if (places !== 1) return { isKilled: false, says: `its text stands ${places} times in ${file}` }
  writeFileSync(
    path,
    healthy.replace(find, () => replace),
  )
  try {
    const own = runs(copy, killedBy.file, [killedBy.test]).filter(({ title }) => title === killedBy.test)
    // a file that does not even load, or a test that runs out of time, kills nothing
    const failure = own.find(({ status }) => status === 'failed')?.failureMessages?.[0]
    // skipped where the preparation before it failed
    const silence = own.some(({ status }) => status === 'passed')
      ? 'nothing failed'
      : 'the check did not run: this says nothing, run it again'
    const says = failure === undefined ? silence : firstLine(failure)
    return { isKilled: failure !== undefined && !says.includes('timed out'), says }
  } finally {
    writeFileSync(path, healthy)
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n').filter(one => one.trim() !== '')
  return line.trim().slice(0, 160)
}

/** The results of the tests of a file whose names end as given. */
function runs(copy: string, file: string, tests: readonly string[]): readonly Result[] {
  const names = [...new Set(tests)].map(test => test.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  const args = [file, '-t', `(?:${names.join('|')})$`]
  // on a machine under load a run may not come to its start; that says nothing about the mutant
  const report = reportOf(copy, args) ?? reportOf(copy, args)
  return report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? []
}

function reportOf(copy: string, args: readonly string[]): Report | null {
  const out = join(copy, 'report.json')
  rmSync(out, { force: true })
  const vitest = join(copy, 'node_modules/.bin/vitest')
  spawnSync(vitest, ['run', ...args, '--reporter=json', `--outputFile=${out}`], {
    cwd: copy,
    stdio: 'ignore',
  })
  return existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null
}

/** The part of vitest's JSON report (jest's format) that is read here. */
interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly Result[] }[]
}

interface Result {
  readonly title: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}
