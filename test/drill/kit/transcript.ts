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

/** Times as if the stage had been made at noon, to five minutes; ports and the folder by fixed names. */
function steady(text: string, { folder, zero }: Stage): string {
  return text
    .replaceAll(folder, '/home/ana')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, time => {
      const steps = Math.round((Date.parse(time) - zero) / STEP_MS)
      return new Date(NOON + steps * STEP_MS).toISOString()
    })
    .replace(/\b(\d+)h (\d+)m\b/g, (_, hours: string, minutes: string) => {
      const steps = Math.round((Number(hours) * 60 + Number(minutes)) / 5) * 5
      return `${Math.floor(steps / 60)}h ${steps % 60}m`
    })
    .replace(/\b\d{1,2}s ago\b/g, 'just now')
    .replace(/\bin \d+[smh](?: \d+[sm])?\b/g, 'in a while')
}
