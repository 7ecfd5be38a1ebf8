import { TYPE_OF } from '../../src/execute/events/ledger-event.js'
import { table } from './with-block.js'

/** What each event of `onEvent` is called, and the moves it tells of. */
export function eventTable(): string {
  const types = [...new Set(Object.values(TYPE_OF))]
  const movesOf = (type: string) => Object.entries(TYPE_OF).filter(([, name]) => name === type)
  const rows = types.map(type => [`\`${type}\``, movesOf(type).map(([move]) => `\`${move}\``).join(', ')])
  const still = [
    ['`refused`', 'none: an attempt was asked for and is not made; `reason` says why'],
    ['`lease_lost`', 'none: the handler was told to stop; `reason` says why'],
  ]
  return table(['type', 'move'], [...rows, ...still])
}
