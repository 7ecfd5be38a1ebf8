import { parseDuration } from '../../core/duration.js'
import type { Repeat } from '../../core/operation.js'
import { unfit } from '../parameters.js'

/** How a repeat contract is typed. */
export const REPEAT_WORDS = 'none|idempotent|permanent-name|reusable-name|key|key:24h'

/** `--repeat key:24h`: what a repeat of the same command does at the service. */
export function repeatOption(text: string, name: string): Repeat {
  switch (text) {
    case 'none':
    case 'idempotent':
      return { kind: text }
    case 'permanent-name':
      return { kind: 'conditional', names: 'permanent' }
    case 'reusable-name':
      return { kind: 'conditional', names: 'reusable' }
    case 'key':
      return { kind: 'idempotency_key', retention_ms: null }
    default: {
      const retention_ms = text.startsWith('key:') ? parseDuration(text.slice('key:'.length)) : undefined
      if (retention_ms === undefined) throw unfit(name, text, `one of ${REPEAT_WORDS} is wanted`)
      return { kind: 'idempotency_key', retention_ms }
    }
  }
}
