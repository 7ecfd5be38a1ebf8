import { figureLines, holds } from '../../bench/figure.js'
import { reading } from '../../bench/reading.js'
import type { Part } from './part.js'

const OPERATIONS = 10_000_000

/** Times are ratios of one run, but a busy machine spoils them all the same: what is missed is said and is no failure. */
export const size: Part = {
  name: 'size',
  title: 'what a ledger of ten million operations costs those who look',
  async run(say, { runs }) {
    const figures = await reading.measure(runs ?? OPERATIONS)
    for (const line of figureLines(figures)) say(line)
    const [flat] = figures.filter(({ what }) => what.endsWith(' to 1,000'))
    return flat !== undefined && (holds(flat) || flat.value < A_SCAN)
  },
}

/** Looking through history would take a hundred times as long; noise does not double it. */
const A_SCAN = 2
