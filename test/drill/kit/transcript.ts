import type { Played } from './play.js'
import type { Stage } from './stage.js'

const NOON = Date.parse('2026-03-10T12:00:00.000Z')
const STEP_MS = 300_000

/** A session as a file keeps it: what is told, what was typed and printed, with the run's own times and places taken out. */
export function transcript(told: string, played: readonly Played[], stage: Stage): string {
  const session = played.map(({ line, printed, code }) => {
    const end = printed === '' || printed.endsWith('\n') ? '' : '\n'
    return `\n$ ${line}\n${printed}${end}${code === 0 ? '' : `[exit ${code}]\n`}`
  })
  return steady(`# ${told}\n${session.join('')}`, stage)
}

/** What differs from run to run beside times, and what stands in its place. The rest of a long evidence goes with it. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
  [/("source":)"sha256:[0-9a-f]+"/g, '$1"…"'],
  [/"started":\{.*… \(\d+ more\)$/gm, '…'],
  [/("record":)"sha256:[0-9a-f]+"/g, '$1"…"'],
  [/"(observed_at|at|as_of|boot_ms|lease_expires_at)":\d+/g, '"$1":0'],
  [/"boot_id":"[^"]*"/g, '"boot_id":""'],
  [/\b5c1f00aa12de\.\d+/g, '5c1f00aa12de.1'],
  [/\b\d{15}-[0-9a-f]{12}\.json\b/g, 'receipt.json'],
  [/\bapproval-[0-9a-f]{12}\b/g, 'approval-1'],
  [/\bprocess \d+ on \S+/g, 'process 2211 on worker-3'],
  // Ages grow while a slow machine plays; the times beside them say the same.
  [/\b\d+[dhms](?: \d+[hms])? (ago|old)\b/g, 'some time $1'],
  [/\b(for|in|limit is|times in) \d+[dhms](?: \d+[hms])?\b/g, '$1 a while'],
  [/\(\d+m of /g, '(a while of '],
  [/\t\d+[dhms](?: \d+[hms])?\t/g, '\tsome time\t'],
]

/** A play may take so long; what is written in it happened at once. */
const PLAY_MS = 600_000

/** Times as if the stage had been made at noon, to five minutes; ports, processes and the folder by fixed names. */
function steady(text: string, { folder, zero }: Stage): string {
  const placed = text
    .replaceAll(folder, '/home/ana')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, time => {
      const since = Date.parse(time) - zero
      const steps = since > 0 && since < PLAY_MS ? 0 : Math.round(since / STEP_MS)
      return new Date(NOON + steps * STEP_MS).toISOString()
    })
  return VARYING.reduce((left, [pattern, stand]) => left.replace(pattern, stand), placed)
}
