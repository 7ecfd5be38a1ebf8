import { formatAge } from '../../core/duration.js'
import type { Repeat } from '../../core/operation.js'

/** What a repeat does, in words. */
export function repeatWords(repeat: Repeat): string {
  switch (repeat.kind) {
    case 'none':
      return 'a second write'
    case 'idempotent':
      return 'changes nothing'
    case 'conditional':
      return repeat.names === 'permanent' ? 'refused, for ever' : 'refused, while the name is taken'
    case 'idempotency_key':
      return repeat.retention_ms === null
        ? 'known by its key, nobody says for how long'
        : `known by its key for ${formatAge(repeat.retention_ms)}`
  }
}
