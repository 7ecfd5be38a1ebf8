import type { AttemptItem } from '../../core/documents/show.js'
import type { Timeline, TimelineRow } from '../../core/documents/timeline.js'
import { formatAge } from '../../core/duration.js'
import { safe } from '../../core/safe-text.js'
import { type Axis, axisOf, type Span } from './axis.js'
import { type Html, html, joined, NOTHING, text } from './escape.js'
import type { HtmlStyle } from './parts.js'

/** Places are reckoned on a line of this length and drawn as parts of it: the picture is as wide as there is room. */
const WIDTH = 900
/** Labels begin this far before the first moment; the stylesheet keeps the room. */
const BEFORE = -24
/** Room that labels of times take on a telephone, on that line. */
const NARROW_TICK = 240
const NARROW_GAP = 130
const TOP = 46
const LANE = 20
/** What a row is stands above its lanes: beside them it took the room of the times. */
const LABEL = 22
const BELOW = 8
/** Letters of a tool, of an id with its state, and of the whole line on a telephone. */
const LABEL_LENGTH = 24
const SUBLABEL_LENGTH = 60
const NARROW_LENGTH = 50
/** Rows of one picture: it stands on a page of paper, and its times are in sight. */
const MOST_ROWS = 18

/** Attempts, leases, signs of life, progress and evidence of all operations on one time axis; of many, in several pictures. */
export function timelinePicture({ rows }: Timeline, now: number, style: HtmlStyle): Html {
  const axis = axisOf([...rows.flatMap(momentsOf), now], rows.flatMap(busyOf), WIDTH)
  const pictures = Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, n) => {
    const from = n * MOST_ROWS
    const part = { rows: rows.slice(from, from + MOST_ROWS), from, count: rows.length }
    return onePicture(part, { axis, now, style })
  })
  return joined(pictures, '\n')
}

interface Part {
  readonly rows: Timeline['rows']
  /** place of the first among all */
  readonly from: number
  readonly count: number
}

interface Drawing {
  readonly axis: Axis
  readonly now: number
  readonly style: HtmlStyle
}

function onePicture({ rows, from, count }: Part, { axis, now, style }: Drawing): Html {
  const heights = rows.map(({ attempts }) => LABEL + Math.max(1, attempts.length) * LANE + BELOW)
  const height = TOP + heights.reduce((sum, one) => sum + one, 0) + 8
  let top = TOP
  const drawn = rows.map((row, i) => {
    const begins = top
    top += heights[i] ?? 0
    return rowPicture(row, { axis, top: begins, height: heights[i] ?? 0, now, style })
  })
  const id = `timeline-${from}`
  const which =
    rows.length === count
      ? html`${count} operations`
      : html`${from + 1} to ${from + rows.length} of ${count} operations`
  return html`<svg class="timeline" width="100%" height="${height}" role="img" aria-labelledby="${text(safe(id))}">
<title id="${text(safe(id))}">What was sent when, and what came of it: ${which}. The list below says the same.</title>
${from === 0 ? PATTERNS : NOTHING}
${axisPicture(axis, { height, now, style })}
${joined(drawn, '\n')}
</svg>`
}

const PATTERNS = html`<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="stripe-ground" width="6" height="6"/><line class="stripe-line" x1="4" y1="0" x2="4" y2="6"/></pattern></defs>`

function axisPicture(
  { ticks, breaks, place }: Axis,
  { height, now, style }: { readonly height: number; readonly now: number; readonly style: HtmlStyle },
): Html {
  const [first] = ticks
  const day = first === undefined ? NOTHING : text(safe(`from ${style.exact(first.at).slice(0, 10)}`))
  const [begin, end] = partOfTimes(ticks.map(({ at }) => style.exact(at)))
  const lines = thinned(ticks, NARROW_TICK).map(({ one: tick, extra }) => {
    const x = part(tick.place)
    return html`<line class="grid" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/><text class="tick${extra}" x="${x}" y="26" text-anchor="middle">${text(safe(style.exact(tick.at).slice(begin, end).replace('T', ' ')))}</text>`
  })
  const gaps = thinned(breaks, NARROW_GAP).map(({ one: { place: middle, ms }, extra }) => {
    const x = part(middle)
    const long = ms < 1_000 ? `${ms}ms` : formatAge(ms)
    return html`<line class="gap" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/><text class="tick gap-label${extra}" x="${x}" y="38" text-anchor="middle">${text(safe(long))}</text>`
  })
  const x = part(place(now))
  return html`<text class="tick" x="${BEFORE}" y="12">${day}</text>${joined(lines)}${joined(gaps)}<line class="now" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/>`
}

/** Of ISO times the part that tells them apart: days where they are of several, parts of a second where they are of one. */
function partOfTimes(times: readonly string[]): readonly [number, number] {
  const apart = (end: number) => new Set(times.map(time => time.slice(0, end))).size === times.length
  const isOneDay = new Set(times.map(time => time.slice(0, 10))).size <= 1
  if (!isOneDay && apart(16)) return [5, 16]
  return apart(19) ? [11, 19] : [14, 23]
}

interface Place {
  readonly axis: Axis
  readonly top: number
  readonly height: number
  readonly now: number
  readonly style: HtmlStyle
}

function rowPicture(row: TimelineRow, { axis, top, height, now, style }: Place): Html {
  const { tool, operation_id, status, in_doubt, attempts, evidence, settled_at, created_at } = row
  const x = (at: number) => axis.place(at)
  const lanes = top + LABEL
  const middle = lanes + LANE / 2
  const word = in_doubt ? 'unknown' : status.replaceAll('_', ' ')
  const shortTool = shorten(tool, LABEL_LENGTH)
  const idAndState = (most: number) =>
    html`${text(style.show(shorten(operation_id, most - word.length - 3)))} · ${text(safe(word))}`
  const ofTelephone = NARROW_LENGTH - shortTool.length - 1
  const subLabel = html`<tspan class="roomy">${idAndState(SUBLABEL_LENGTH)}</tspan><tspan class="short">${idAndState(ofTelephone)}</tspan>`
  const bars = attempts.map((attempt, i) => attemptPicture(attempt, { x, y: lanes + i * LANE, now }))
  const bottom = top + height - 6
  const proofs = evidence.map(({ n, at }) => {
    const here = part(x(Date.parse(at)))
    return html`<svg x="${here}" y="${bottom - 7}"><path class="evidence" d="M0 0l4 7h-8z"><title>evidence ${n}</title></path></svg>`
  })
  const settled =
    settled_at === null
      ? NOTHING
      : html`<circle class="settled" cx="${part(x(Date.parse(settled_at)))}" cy="${middle}" r="4"><title>settled</title></circle>`
  return html`<g>
<line class="row" x1="${BEFORE}" y1="${top}" x2="100%" y2="${top}"/>
<text class="label" x="${BEFORE}" y="${top + 16}">${text(style.show(shortTool))} <tspan class="sublabel"><title>${text(style.show(operation_id))}</title>${subLabel}</tspan></text>
${upright('written', x(Date.parse(created_at)), [middle - 6, middle + 6])}<title>written down</title></line>
${joined(bars)}${joined(proofs)}${settled}
</g>`
}

interface Lane {
  readonly x: (at: number) => number
  readonly y: number
  readonly now: number
}

/** From its sending to the last that was seen of it; hatched from there to where nobody knew more. */
function attemptPicture(attempt: AttemptItem, { x, y, now }: Lane): Html {
  const sent = Date.parse(attempt.sent_at)
  const seen = lastSeen(attempt)
  const ended = attempt.ended_at === null ? null : Date.parse(attempt.ended_at)
  const leaseEnds = Math.min(Date.parse(attempt.send_by), now)
  const isKnown = attempt.end === 'applied' || attempt.end === 'not_applied' || attempt.end === 'absent'
  const solidTo = isKnown && attempt.end !== 'absent' ? (ended ?? seen) : seen
  const doubtTo = isKnown ? solidTo : Math.min(ended ?? leaseEnds, Math.max(leaseEnds, seen))
  const doubt =
    doubtTo > solidTo
      ? html`<rect class="doubt" x="${part(x(solidTo))}" y="${y + 4}" width="${wide(x(doubtTo) - x(solidTo))}" height="10"/>`
      : NOTHING
  const kind = text(safe(attempt.end ?? 'open'))
  const lease =
    attempt.send_by === attempt.sent_at
      ? NOTHING
      : html`<line class="lease" x1="${part(x(sent))}" y1="${y + 17}" x2="${part(x(Math.max(sent, leaseEnds)))}" y2="${y + 17}"/>`
  return html`<g><title>attempt ${attempt.n}: ${text(safe(ENDS[attempt.end ?? 'open']))}</title><rect class="bar ${kind}" x="${part(x(sent))}" y="${y + 4}" width="${wide(x(solidTo) - x(sent))}" height="10" rx="1"/>${doubt}${lease}${signs(attempt, x, y)}</g>`
}

function signs({ heartbeat_at, progress_at }: AttemptItem, x: (at: number) => number, y: number): Html {
  const heart =
    heartbeat_at === null
      ? NOTHING
      : html`${upright('heartbeat', x(Date.parse(heartbeat_at)), [y + 1, y + 17])}<title>last heartbeat</title></line>`
  const progress =
    progress_at === null
      ? NOTHING
      : html`<svg x="${part(x(Date.parse(progress_at)))}" y="${y + 4}"><path class="progress" d="M0 0l5 5-5 5-5-5z"><title>last progress</title></path></svg>`
  return html`${heart}${progress}`
}

const ENDS: Readonly<Record<NonNullable<AttemptItem['end']> | 'open', string>> = {
  applied: 'it took effect',
  not_applied: 'it certainly did not take effect',
  ambiguous: 'nobody can tell whether it took effect',
  absent: 'a look proved that it did not take effect',
  open: 'no end is on record',
}

const LEAST_WIDTH = 5

function wide(width: number): Html {
  return part(Math.max(LEAST_WIDTH, width))
}

/** A place or a length on the line, as a part of it. */
function part(length: number): Html {
  return text(safe(`${Math.round((length / WIDTH) * 10_000) / 100}%`))
}

/** A line from top to bottom, which its title follows. */
function upright(name: 'written' | 'heartbeat', place: number, [from, to]: readonly [number, number]): Html {
  return html`<line class="${text(safe(name))}" x1="${part(place)}" y1="${from}" x2="${part(place)}" y2="${to}">`
}

/** Labels for which a narrow screen has no room are marked as extra. */
function thinned<T extends { readonly place: number }>(labels: readonly T[], least: number) {
  let last = Number.NEGATIVE_INFINITY
  return labels.map(one => {
    const isExtra = one.place - last < least
    if (!isExtra) last = one.place
    return { one, extra: text(safe(isExtra ? ' extra' : '')) }
  })
}

function lastSeen({ sent_at, heartbeat_at, activity_at, progress_at }: AttemptItem): number {
  return Math.max(
    ...[sent_at, heartbeat_at, activity_at, progress_at].map(at => (at === null ? 0 : Date.parse(at))),
  )
}

function momentsOf({ created_at, settled_at, attempts, evidence }: TimelineRow): number[] {
  return [
    created_at,
    settled_at,
    ...attempts.flatMap(({ sent_at, ended_at, heartbeat_at, progress_at }) => [
      sent_at,
      ended_at,
      heartbeat_at,
      progress_at,
    ]),
    ...evidence.map(({ at }) => at),
  ].flatMap(at => (at === null ? [] : [Date.parse(at)]))
}

function busyOf({ attempts }: TimelineRow): Span[] {
  return attempts.map(attempt => {
    const from = Date.parse(attempt.sent_at)
    const isKnown = attempt.end === 'applied' || attempt.end === 'not_applied'
    return { from, to: isKnown ? Date.parse(attempt.ended_at ?? attempt.sent_at) : lastSeen(attempt) }
  })
}

function shorten(id: string, most: number): string {
  const ends = Math.floor((most - 1) / 2)
  return id.length <= most ? id : `${id.slice(0, ends)}…${id.slice(-ends)}`
}
