import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circles } from './architecture/circles.js'
import { LONGEST, LONGEST_TEST, nameViolations, violations } from './architecture/rules.js'
import { readSource, type Source } from './architecture/source.js'

const root = join(import.meta.dirname, '..')

describe('the architecture', () => {
  it('is kept by every file of src', () => {
    const found = filesOf('src').flatMap(path => {
      const text = readFileSync(join(root, path), 'utf8')
      return violations(path, readSource(path, text), text.split('\n').length - 1)
    })
    expect(found).toEqual([])
  })

  it('has no files that need one another to load', () => {
    expect(circles(new Map(filesOf('src').map(path => [path, sourceOf(path)])))).toEqual([])
  })

  it('holds for names and lengths of tests, scripts and benches', () => {
    const found = ['test', 'scripts', 'bench', 'examples'].flatMap(filesOf).flatMap(path => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
      return [...nameViolations(path), ...(lines > LONGEST_TEST ? [`${path} has ${lines} lines`] : [])]
    })
    expect(found).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    [
      'a layer that looks up',
      'src/core/risk.ts',
      "import { a } from '../store/store.js'",
      'core may not know store',
    ],
    [
      'a type that looks up',
      'src/store/rows.ts',
      "import type { Ledger } from '../ledger.js'",
      'store may not know ledger',
    ],
    [
      'a re-export that looks up',
      'src/store/rows.ts',
      "export { a } from '../execute/run.js'",
      'store may not know execute',
    ],
    [
      'the command line reading the store',
      'src/cli/commands/list.ts',
      "import '../../store/store.js'",
      'cli may not know store',
    ],
    [
      'a screen loaded at start',
      'src/cli/main.ts',
      "import { app } from '../tui/app.js'",
      'cli may not know tui',
    ],
    [
      'a package out of its place',
      'src/ledger.ts',
      "import { Command } from 'commander'",
      'imports commander',
    ],
    [
      'a package lazily out of its place',
      'src/ledger.ts',
      "await import('better-sqlite3')",
      'imports better-sqlite3',
    ],
    ['a package nobody named', 'src/cli/main.ts', "import x from 'left-pad'", 'does not name'],
    [
      'a file system in the core',
      'src/core/digest.ts',
      "import { readFileSync } from 'node:fs'",
      'core is pure',
    ],
    ['the environment', 'src/store/open.ts', 'export const a = process.env.HOME', 'uses process'],
    ['the console', 'src/ledger/tasks.ts', 'console.log(1)', 'uses console'],
    ['the clock', 'src/execute/run.ts', 'const now = Date.now()', 'uses Date.now'],
    ['the clock as a date', 'src/core/time.ts', 'const now = new Date()', 'uses new Date()'],
    ['another clock', 'src/execute/run.ts', 'performance.now()', 'uses performance'],
    [
      'chance in the core',
      'src/core/retry.ts',
      'export const jitter = () => Math.random()',
      'uses Math.random',
    ],
    ['a vague name', 'src/core/utils.ts', '', 'named after no subject'],
    ['a vague folder', 'src/helpers/text.ts', '', 'named after no subject'],
    ['another spelling', 'src/core/nextAction.ts', '', 'kebab-case'],
  ])('refuses %s', (_, path, text, reason) => {
    expect(violations(path, readSource(path, text), 1).join()).toContain(reason)
  })

  it('finds a circle of files, not one of types', () => {
    const files = {
      'src/core/a.ts': "import { b } from './b.js'",
      'src/core/b.ts': "export { a } from './c.js'",
    }
    const circle = (text: string) =>
      circles(
        new Map(
          Object.entries({ ...files, 'src/core/c.ts': text }).map(([path, one]) => [
            path,
            readSource(path, one),
          ]),
        ),
      )
    expect(circle("import { a } from './a.js'")).toEqual([
      'src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
    ])
    expect(circle("import type { A } from './a.js'")).toEqual([])
    expect(circle("import { type A } from './a.js'")).toEqual([])
    expect(circle("const a = import('./a.js')")).toEqual([])
  })

  it('refuses a file that is too long', () => {
    expect(violations('src/core/a.ts', readSource('a.ts', ''), LONGEST)).toEqual([])
    expect(violations('src/core/a.ts', readSource('a.ts', ''), LONGEST + 1).join()).toContain('split it')
  })

  it.each([
    [
      'the layers below',
      'src/ledger/tasks.ts',
      "import { a } from '../store/store.js'\nimport { b } from '../core/task.js'",
    ],
    [
      'the screen when it is called',
      'src/cli/commands/triage.ts',
      "const { app } = await import('../../tui/app.js')",
    ],
    ['hashing where digests are made', 'src/core/digest.ts', "import { createHash } from 'node:crypto'"],
    ['the world in the command line', 'src/cli/main.ts', 'console.log(process.argv, Date.now())'],
    [
      'a date that was given',
      'src/core/iso-time.ts',
      'export const iso = (at: number) => new Date(at).toISOString()',
    ],
    [
      'a parameter or field of that name',
      'src/store/open.ts',
      'export const f = (process: { console: 1 }) => process.console',
    ],
  ])('lets %s pass', (_, path, text) => {
    expect(violations(path, readSource(path, text), 1)).toEqual([])
  })
})

function sourceOf(path: string): Source {
  return readSource(path, readFileSync(join(root, path), 'utf8'))
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.(?:ts|tsx|mjs)$/.test(entry.name))
      .map(entry => relative(root, join(entry.parentPath, entry.name)))
  } catch {
    return []
  }
}
