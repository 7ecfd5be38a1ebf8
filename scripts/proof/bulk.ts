import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lostMails } from '../../test/proof/bulk/lost.js'
import { decidedTimes, runOn, SAID } from '../../test/proof/bulk/run.js'
import type { Part } from './part.js'

const FEW = 1_000
const MANY = 50_000

/**
 * What may lie between the two: SQLite's cache (16 MB, which the ledger of few does not fill) and the room that V8 takes
 * before it looks for garbage. A thousand bytes kept of each decision would be 50.
 */
const BETWEEN_MB = 32

/** In their order: what is written by one is what the next finds. */
const COMMANDS: readonly (readonly string[])[] = [
  ['resolve', '--file', 'decisions.jsonl', '--jsonl'],
  ['plan', 'resolve', '--unknown', ...SAID, '--output', 'plan.jsonl'],
  ['plan', '--from-file', 'decisions.jsonl', '--output', 'of-file.jsonl'],
  ['apply', 'plan.jsonl', '--dry-run', '--jsonl'],
  ['apply', 'plan.jsonl', '--yes', '--jsonl'],
  ['resolve', '--file', 'decisions.jsonl', '--yes', '--jsonl'],
]

export const bulk: Part = {
  name: 'bulk',
  title: 'what a process holds of a thousand decisions and of fifty thousand',
  async run(say, { runs }) {
    const many = runs ?? MANY
    const [few, most] = [await peaksOf(FEW), await peaksOf(many)]
    const problems: string[] = []
    for (const [i, argv] of COMMANDS.entries()) {
      const [a = Number.NaN, b = Number.NaN] = [few[i], most[i]]
      const line = `${argv.slice(0, 3).join(' ')}: ${a.toFixed(0)} MB of ${FEW}, ${b.toFixed(0)} MB of ${many}`
      say(line)
      if (!(b - a < BETWEEN_MB)) problems.push(line)
    }
    for (const problem of problems) say(`grows: ${problem}`)
    return problems.length === 0
  },
}

async function peaksOf(count: number): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-bulk-'))
  try {
    const mails = await lostMails(folder, count)
    const peaks: number[] = []
    for (const argv of COMMANDS) {
      const words = argv.map(word => (word.endsWith('.jsonl') ? join(folder, word) : word))
      const { code, said, megabytes } = await runOn(mails, words)
      // the second file of decisions finds everything settled
      if (code !== 0 && code !== 6)
        throw new Error(`${argv.join(' ')} of ${count} ended with ${code}: ${said}`)
      peaks.push(megabytes)
    }
    const times = decidedTimes(mails)
    if (times[1] !== count) throw new Error(`of ${count} operations decided: ${JSON.stringify(times)}`)
    return peaks
  } finally {
    rmSync(folder, { recursive: true })
  }
}
