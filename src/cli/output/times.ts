import { formatAge } from '../../core/duration.js'
import { LedgerError } from '../../core/errors.js'
import { isoTime } from '../../core/iso-time.js'
import { type Safe, safe, words } from '../../core/safe-text.js'

/** Times as people read them. Documents for programs always carry `isoTime`. */
export interface Times {
  /** `2026-11-29T18:47:00.000Z`, or the same with the offset of `--tz` */
  readonly exact: (at: number) => Safe
  /** `3h 20m ago`, `in 12s` */
  readonly relative: (at: number) => Safe
}

/** @param zone `--tz`: a name of the IANA time zone database, `local`, `UTC`, or undefined for UTC */
export function createTimes(zone: string | undefined, now: number): Times {
  const offsetOf = zone === undefined || zone === 'UTC' ? undefined : offsets(zone)
  return {
    exact: at => safe(offsetOf === undefined ? isoTime(at) : isoWithOffset(at, offsetOf(at))),
    relative: at =>
      at > now ? words`in ${safe(formatAge(at - now))}` : words`${safe(formatAge(now - at))} ago`,
  }
}

/** Minutes east of UTC at a time, by the zone's rules. */
function offsets(zone: string): (at: number) => number {
  const format = formatter(zone)
  return at => {
    const part = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):?(\d{2})?/.exec(part) ?? []
    if (hours === undefined) return 0
    const size = Number(hours) * 60 + Number(minutes ?? '0')
    return sign === '-' ? -size : size
  }
}

function formatter(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', {
      timeZoneName: 'longOffset',
      ...(zone === 'local' ? {} : { timeZone: zone }),
    })
  } catch (cause) {
    throw new LedgerError('usage', `--tz ${JSON.stringify(zone)} is no time zone`, {
      path: '--tz',
      hint: 'Name one of the IANA time zone database, such as Europe/Berlin, or local, or UTC.',
      cause,
    })
  }
}

function isoWithOffset(at: number, offset: number): string {
  const sign = offset < 0 ? '-' : '+'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const shifted = isoTime(at + offset * 60_000).slice(0, -1)
  return `${shifted}${sign}${two(hours)}:${two(minutes)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
