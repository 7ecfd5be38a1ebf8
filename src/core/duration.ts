/** Durations as people write them: `500ms`, `90s`, `10m`, `2h`, `3d`, `1w`, or several together, the largest first: `1h30m`. */

const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const satisfies readonly (readonly [string, number])[]

const SIZE = new Map<string, number>(UNITS)
const AMOUNT = '\\d+(?:\\.\\d+)?'
// Each unit once, the largest first: `30m30m` is a slip of the hand, and no hour.
const IN_TURN = UNITS.map(([unit]) => `(?:${AMOUNT}${unit === 'm' ? 'm(?!s)' : unit})?`)
const WHOLE = new RegExp(`^(?=\\d)${IN_TURN.join('')}$`)
const PART = new RegExp(`(${AMOUNT})(ms|[wdhms])`, 'g')

/** Milliseconds, or undefined when the text is no duration. A bare number is none: its unit would be a guess. */
export function parseDuration(text: string): number | undefined {
  const compact = text.replaceAll(' ', '')
  if (!WHOLE.test(compact)) return undefined
  let total = 0
  for (const [, amount, unit] of compact.matchAll(PART)) {
    total += Number(amount) * (SIZE.get(unit ?? '') ?? Number.NaN)
  }
  const whole = Math.round(total)
  return Number.isSafeInteger(whole) ? whole : undefined
}

/** The shortest exact way to write a duration of whole milliseconds: 5_400_000 → `1h30m`. */
export function formatDuration(durationMs: number): string {
  let rest = Math.max(0, Math.round(durationMs))
  let text = ''
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${unit}`
    rest -= count * size
  }
  return text === '' ? '0s' : text
}

/** An age as people say it, two units at most, never more exact than it is useful: `45s`, `12m`, `3h 20m`, `2d 4h`. */
export function formatAge(ageMs: number): string {
  const seconds = Math.floor(Math.max(0, ageMs) / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return pair(hours, 'h', minutes % 60, 'm')
  const days = Math.floor(hours / 24)
  return days < 14 ? pair(days, 'd', hours % 24, 'h') : `${days}d`
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`
}
