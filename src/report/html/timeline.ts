import type { AttemptItem } from '../../core/documents/show.js'
import type { Timeline, TimelineRow } from '../../core/documents/timeline.js'
import { formatAge } from '../../core/duration.js'
import { safe } from '../../core/safe-text.js'
import { type Axis, axisOf, type Span } from './axis.js'
import { type Html, html, joined, NOTHING, text } from './escape.js'
import type { HtmlStyle } from './parts.js'

const WIDTH = 960
const LABELS = 250
/** Half of the longest label of a time stands here, behind the last. */
const RIGHT = 34
const TOP = 34
const LANE = 20
const ROW_PADDING = 14
/** Letters of a tool, and of an id with its state, that fit beside their row. */
const LABEL_LENGTH = 32
const SUBLABEL_LENGTH = 38
/** Rows of one picture: it stands on a page of paper, and its times are in sight. */
const MOST_ROWS = 18

/** Attempts, leases, signs of life, progress and evidence of all operations on one time axis; of many, in several pictures. */
export function timelinePicture({ rows }: Timeline, now: number, style: HtmlStyle): Html {
  const axis = axisOf([...rows.flatMap(momentsOf), now], rows.flatMap(busyOf), WIDTH - LABELS - RIGHT)
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
  const heights = rows.map(({ attempts }) => Math.max(1, attempts.length) * LANE + ROW_PADDING)
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
  return html`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="${text(safe(id))}">
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
  const lines = ticks.map(tick => {
    const x = LABELS + Math.round(tick.place)
    return html`<line class="grid" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/><text class="tick" x="${x}" y="14" text-anchor="middle">${text(safe(style.exact(tick.at).slice(begin, end).replace('T', ' ')))}</text>`
  })
  const gaps = breaks.map(({ place: middle, ms }) => {
    const x = LABELS + Math.round(middle)
    const long = ms < 1_000 ? `${ms}ms` : formatAge(ms)
    return html`<line class="gap" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/><text class="tick gap-label" x="${x}" y="26" text-anchor="middle">${text(safe(long))}</text>`
  })
  const x = LABELS + Math.round(place(now))
  return html`<text class="tick" x="0" y="14">${day}</text>${joined(lines)}${joined(gaps)}<line class="now" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 4}"/>`
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
  const x = (at: number) => LABELS + Math.round(axis.place(at))
  const middle = top + ROW_PADDING / 2 + LANE / 2
  const word = in_doubt ? 'unknown' : status.replaceAll('_', ' ')
  const shown = style.show(operation_id)
  const bars = attempts.map((attempt, i) =>
    attemptPicture(attempt, { x, y: top + ROW_PADDING / 2 + i * LANE, now }),
  )
  const bottom = top + height - 6
  const proofs = evidence.map(({ n, at }) => {
    const here = x(Date.parse(at))
    return html`<path class="evidence" d="M${here} ${bottom - 7}l4 7h-8z"><title>evidence ${n}</title></path>`
  })
  const settled =
    settled_at === null
      ? NOTHING
      : html`<circle class="settled" cx="${x(Date.parse(settled_at))}" cy="${middle}" r="4"><title>settled</title></circle>`
  return html`<g>
<line class="row" x1="0" y1="${top}" x2="${WIDTH}" y2="${top}"/>
<text class="label" x="0" y="${middle - 1}">${text(style.show(shorten(tool, LABEL_LENGTH)))}</text>
<text class="sublabel" x="0" y="${middle + 12}"><title>${text(shown)}</title>${text(style.show(shorten(operation_id, SUBLABEL_LENGTH - word.length - 3)))} · ${text(safe(word))}</text>
<path class="written" d="M${x(Date.parse(created_at))} ${middle - 6}v12"><title>written down</title></path>
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
      ? html`<rect class="doubt" x="${x(solidTo)}" y="${y + 4}" width="${wide(x(doubtTo) - x(solidTo))}" height="10"/>`
      : NOTHING
  const kind = text(safe(attempt.end ?? 'open'))
  const lease =
    attempt.send_by === attempt.sent_at
      ? NOTHING
      : html`<line class="lease" x1="${x(sent)}" y1="${y + 17}" x2="${x(Math.max(sent, leaseEnds))}" y2="${y + 17}"/>`
  return html`<g><title>attempt ${attempt.n}: ${text(safe(ENDS[attempt.end ?? 'open']))}</title><rect class="bar ${kind}" x="${x(sent)}" y="${y + 4}" width="${wide(x(solidTo) - x(sent))}" height="10" rx="1"/>${doubt}${lease}${signs(attempt, x, y)}</g>`
}

function signs({ heartbeat_at, progress_at }: AttemptItem, x: (at: number) => number, y: number): Html {
  const heart =
    heartbeat_at === null
      ? NOTHING
      : html`<path class="heartbeat" d="M${x(Date.parse(heartbeat_at))} ${y + 1}v16"><title>last heartbeat</title></path>`
  const progress =
    progress_at === null
      ? NOTHING
      : html`<path class="progress" d="M${x(Date.parse(progress_at))} ${y + 4}l5 5-5 5-5-5z"><title>last progress</title></path>`
  return html`${heart}${progress}`
}

const ENDS: Readonly<Record<NonNullable<AttemptItem['end']> | 'open', string>> = {
  applied: 'it took effect',
  not_applied: 'it certainly did not take effect',
  ambiguous: 'nobody can tell whether it took effect',
  absent: 'a look proved that it did not take effect',
  open: 'no end is on record',
}

const LEAST_WIDTH = 3

function wide(width: number): number {
  return Math.max(LEAST_WIDTH, width)
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
