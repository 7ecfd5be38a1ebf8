import { unfit } from '../parameters.js'

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `10/s`, `100/m`, `500/h`: the time between two beginnings. */
export function perSecond(text: string, name: string): { readonly everyMs: number } {
  const [, count, unit] = /^(\d{1,6})\/([smh])$/.exec(text) ?? []
  if (count === undefined || Number(count) === 0 || (unit !== 's' && unit !== 'm' && unit !== 'h'))
    throw unfit(name, text, 'a rate such as 10/s, 100/m or 500/h is wanted')
  return { everyMs: Math.ceil(UNIT_MS[unit] / Number(count)) }
}
