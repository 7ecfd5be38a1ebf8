import { LedgerError } from '../core/errors.js'
import type { OtherIntent } from '../core/transitions/other-intent.js'
import type { Refusal } from '../core/transitions/requests.js'

const MOST_PATHS = 20

/** The id is taken: both digests and where the two intents differ. */
export function differentInput(
  id: string,
  { rule, stored_digest, given_digest, differences }: OtherIntent,
): LedgerError {
  if (rule !== null) return otherKey(id, rule)
  const paths = differences.slice(0, MOST_PATHS).map(({ path, kind }) => `${path} (${kind})`)
  const more = differences.length - paths.length
  return new LedgerError('different_input', `${id} is taken by another intent: ${paths.join(', ')} differ`, {
    id,
    facts: {
      stored_digest,
      given_digest,
      differing_paths: paths,
      ...(more > 0 ? { differing_paths_left_out: more } : {}),
    },
  })
}

function otherKey(id: string, rule: NonNullable<OtherIntent['rule']>): LedgerError {
  const why =
    rule === 'key_changed_while_unknown'
      ? 'is in doubt, and another idempotency key would make the repeat a second request'
      : 'has an idempotency key already, and it is never changed'
  return new LedgerError('refused', `${id} ${why}`, {
    id,
    rule,
    hint: 'Ask with the key it has, or leave the key out; find out first what became of it: reconcile, resolve.',
  })
}

export function notFound(id: string): LedgerError {
  return new LedgerError('not_found', `there is no operation ${id}`, { id })
}

/** A refusal of the table as the error that a caller gets. */
export function refusedBy({ code, reason, satisfy, rule }: Refusal, id: string): LedgerError {
  return new LedgerError(code, reason, { id, hint: satisfy, rule })
}
