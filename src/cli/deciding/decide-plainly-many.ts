import type { Safe } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { decideMany } from './decide-many.js'
import type { Selectors } from './selection.js'
import { textGiven, textOrAsk } from './texts.js'

interface Plain {
  readonly type: 'abandon' | 'allow_retry'
  readonly reason: string | undefined
  /** of `allow_retry` */
  readonly acceptDuplicate?: string | undefined
  readonly selectors: Selectors
  /** `Abandon` */
  readonly verb: Safe
}

/** The same decision, with a reason, on all that the selectors choose. */
export async function decidePlainlyMany(plain: Plain, deps: Deps): Promise<number> {
  const { type, selectors, verb } = plain
  const acceptDuplicate = textGiven(plain.acceptDuplicate)
  const reason = await textOrAsk(
    plain.reason,
    { option: '--reason', question: 'Reason', decision: type },
    deps,
  )
  const how = { reason, ...(acceptDuplicate === undefined ? {} : { acceptDuplicate }) }
  return decideMany({ ask: { type, how }, selectors, verb }, deps)
}
