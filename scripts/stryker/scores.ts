import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REPORT = join(import.meta.dirname, '../../.stryker/incremental.json')

/** What is held: of a hundred mutants of the core ninety are noticed by its own tests. */
export const BAR = 90

/** The part of a mutation report (mutation-testing-report-schema) that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

/** How many mutants of a folder fell, and how many were not noticed. */
export interface Score {
  readonly folder: string
  readonly noticed: number
  readonly survived: number
  /** no test passes by there at all */
  readonly uncovered: number
}

/** What all runs together came to, folder by folder: Stryker keeps the results of the files it did not mutate. */
export function scoresByFolder(): readonly Score[] {
  const { files } = existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as Report) : { files: {} }
  const byFolder = new Map<string, string[]>()
  for (const [file, { mutants }] of Object.entries(files)) {
    const folder = file.split('/').slice(2, -1)[0] ?? '.'
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...mutants.map(({ status }) => status)])
  }
  return [...byFolder].sort(([a], [b]) => a.localeCompare(b)).map(([folder, all]) => scoreOf(folder, all))
}

function scoreOf(folder: string, statuses: readonly string[]): Score {
  const count = (...named: readonly string[]) => statuses.filter(status => named.includes(status)).length
  return {
    folder,
    noticed: count('Killed', 'Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
  }
}

export function total(scores: readonly Score[]): Score {
  const sum = (of: 'noticed' | 'survived' | 'uncovered') => scores.reduce((all, score) => all + score[of], 0)
  return { folder: 'all', noticed: sum('noticed'), survived: sum('survived'), uncovered: sum('uncovered') }
}

/** Per cent of the mutants that could be noticed; 0 where there are none. */
export function percent({ noticed, survived, uncovered }: Score): number {
  const all = noticed + survived + uncovered
  return all === 0 ? 0 : (100 * noticed) / all
}

export function tableOf(scores: readonly Score[]): string {
  const rows = [...scores, total(scores)].map(score => [
    score.folder,
    `${percent(score).toFixed(2)} %`,
    String(score.noticed),
    String(score.survived),
    String(score.uncovered),
  ])
  const head = ['folder of src/core', 'noticed', 'mutants', 'alive', 'passed by no test']
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map(row => row[i]?.length ?? 0)))
  return [head, ...rows]
    .map(row =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
